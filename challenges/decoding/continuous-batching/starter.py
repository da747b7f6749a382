"""The scheduler of an inference server."""


class Engine:
    def __init__(self, model, budget: int, eos: int) -> None:
        raise NotImplementedError

    def add(self, prompt: list[int], max_new_tokens: int) -> int:
        """Take a request and return its number."""
        raise NotImplementedError

    def step(self) -> list[tuple[int, int]]:
        """Call the model once at most, and return the new tokens as pairs (number, token)."""
        raise NotImplementedError
