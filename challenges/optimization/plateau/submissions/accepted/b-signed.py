"""The state is one dict; a maximum is a minimum of the negated metric."""

INFINITY = float("inf")


class Plateau:
    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, cooldown=0, min_lr=0.0):
        if not factor < 1.0:
            raise ValueError(factor)
        signs = {"min": 1.0, "max": -1.0}
        if mode not in signs:
            raise ValueError(mode)
        self.optimizer = optimizer
        self.sign = signs[mode]
        self.settings = (factor, patience, cooldown, min_lr)
        self.margin = 1.0 - self.sign * threshold
        self.state = {"best": INFINITY, "bad": 0, "left": 0}

    def step(self, metric):
        factor, patience, cooldown, min_lr = self.settings
        value, state = self.sign * float(metric), self.state
        improved = value < state["best"] * self.margin
        if improved:
            state["best"] = value
        state["bad"] = 0 if improved or state["left"] else state["bad"] + 1
        state["left"] = max(0, state["left"] - 1)
        if state["bad"] <= patience:
            return
        for group in self.optimizer.param_groups:
            lowered = group["lr"] * factor
            group["lr"] = lowered if lowered > min_lr else float(min_lr)
        state.update(bad=0, left=cooldown)

    def get_last_lr(self):
        return [float(group["lr"]) for group in self.optimizer.param_groups]

    def state_dict(self):
        return dict(self.state)

    def load_state_dict(self, state):
        self.state = dict(state)
