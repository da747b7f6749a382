"""Runs an engine on a toy model: requests come before some of its steps."""

from given import ToyModel


def serve(solution, setting: dict, arrivals: list, steps: int) -> dict:
    """`arrivals[t]` lists the (prompt, max_new_tokens) that are added before step t. What happened, step by step."""
    model = ToyModel(setting["slots"], setting["vocabulary"], setting["seed"])
    engine = solution.Engine(model, setting["budget"], setting["eos"])
    ids, events, calls, held = [], [], [], []
    for t in range(steps):
        for prompt, limit in arrivals[t] if t < len(arrivals) else []:
            mine = list(prompt)
            ids.append(engine.add(mine, limit))
            mine[:] = [0] * (len(mine) + 1)  # the caller uses its list for something else
        model.calls = []
        events.append(engine.step())
        calls.append(model.calls)
        held.append([list(tokens) for tokens in model.held])
    return {"ids": ids, "events": events, "calls": calls, "held": held}


def side_by_side(solution, setting: dict, requests: list, steps: int) -> list:
    """One engine for each request, on models of their own, stepped in turn: the events of each engine."""
    engines = [
        solution.Engine(
            ToyModel(setting["slots"], setting["vocabulary"], setting["seed"]), setting["budget"], setting["eos"]
        )
        for _ in requests
    ]
    for engine, (prompt, limit) in zip(engines, requests, strict=True):
        engine.add(prompt, limit)
    found = [[] for _ in engines]
    for _ in range(steps):
        for mine, engine in zip(found, engines, strict=True):
            mine += engine.step()
    return found


def refused(solution, slots: int, budget: int, request: tuple | None) -> str:
    """The error of the constructor or, with a request, of `add`; and whether the request left a trace."""
    model = ToyModel(slots)
    try:
        engine = solution.Engine(model, budget, 0)
    except Exception as error:
        return type(error).__name__
    if request is None:
        return ""
    try:
        engine.add(*request)
    except Exception as error:
        trace = engine.step() or model.calls or engine.add([1], 1) != 0
        return type(error).__name__ + (" with a trace" if trace else "")
    return ""
