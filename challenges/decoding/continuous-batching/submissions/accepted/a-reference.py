"""A request is a list of tokens that it still has to feed. In order of arrival, those that decode come first by themselves."""

from collections import deque


class Request:
    def __init__(self, number: int, prompt: list[int], limit: int) -> None:
        self.number, self.pending, self.left = number, list(prompt), limit


class Engine:
    def __init__(self, model, budget: int, eos: int) -> None:
        if budget < model.slots:
            raise ValueError(f"a budget of {budget} tokens for {model.slots} slots")
        self.model, self.budget, self.eos = model, budget, eos
        self.free = list(range(model.slots))
        self.waiting, self.running, self.count = deque(), [], 0

    def add(self, prompt: list[int], max_new_tokens: int) -> int:
        if not prompt or max_new_tokens < 1:
            raise ValueError("a request has a prompt, and asks for a token at least")
        self.waiting.append(Request(self.count, prompt, max_new_tokens))
        self.count += 1
        return self.count - 1

    def step(self) -> list[tuple[int, int]]:
        while self.free and self.waiting:
            request = self.waiting.popleft()
            request.slot = self.free.pop()
            self.running.append(request)
        # Prompts are finished in the order of arrival, so those that decode stand before those that do not.
        plan, budget = [], self.budget
        for request in self.running:
            piece = request.pending[:budget]
            if piece:
                plan.append((request, piece))
                request.pending = request.pending[len(piece) :]
                budget -= len(piece)
        if not plan:
            return []
        scores = self.model([r.slot for r, _ in plan], [piece for _, piece in plan])
        events = []
        for (request, _), row in zip(plan, scores, strict=True):
            if request.pending:
                continue
            token = int(row.argmax())
            events.append((request.number, token))
            request.pending = [token]
            request.left -= 1
            if token == self.eos or request.left == 0:
                self.model.clear(request.slot)
                self.free.append(request.slot)
                self.running.remove(request)
        return events
