"""Each request is a coroutine that asks for tokens and is sent scores; the engine keeps two queues of them."""


class Text:
    """What a request wants to feed, and what it does with a token that it gets."""

    def __init__(self, number, prompt, limit, eos):
        self.number, self.slot = number, None
        self.life = self.live(tuple(prompt), limit, eos)
        self.wants, self.new = next(self.life)

    def live(self, prompt, limit, eos):
        rest, new = prompt, None
        while rest:
            taken, scores = yield rest, new
            rest = rest[taken:]
        for _ in range(limit - 1):
            new = scores.argmax().item()
            if new == eos:
                break
            _, scores = yield (new,), new
        else:
            new = scores.argmax().item()
        yield (), new

    def feed(self, taken, scores):
        self.wants, self.new = self.life.send((taken, scores))
        return self.new


class Engine:
    def __init__(self, model, budget, eos):
        if budget < model.slots:
            raise ValueError("each slot needs one token of the budget")
        self.model, self.budget, self.eos = model, budget, eos
        self.texts, self.decoding, self.prefill = [], [], []
        self.numbers = 0

    def add(self, prompt, max_new_tokens):
        if not prompt:
            raise ValueError("empty prompt")
        if max_new_tokens < 1:
            raise ValueError("no token asked for")
        self.texts.append(Text(self.numbers, prompt, max_new_tokens, self.eos))
        self.numbers += 1
        return self.numbers - 1

    def step(self):
        used = {text.slot for text in self.decoding + self.prefill}
        free = [slot for slot in range(self.model.slots) if slot not in used]
        admitted, self.texts = self.texts[: len(free)], self.texts[len(free) :]
        for text, slot in zip(admitted, free, strict=False):
            text.slot = slot
        self.prefill += admitted
        call, left = [(text, text.wants) for text in self.decoding], self.budget - len(self.decoding)
        for text in self.prefill:
            call.append((text, text.wants[:left]))
            left -= len(call[-1][1])
        call = [(text, list(piece)) for text, piece in call if piece]
        if not call:
            return []
        rows = self.model([text.slot for text, _ in call], [piece for _, piece in call])
        events = []
        for (text, piece), row in zip(call, rows, strict=True):
            token = text.feed(len(piece), row)
            if token is None:
                continue
            events.append((text.number, token))
            if text in self.prefill:
                self.prefill.remove(text)
                self.decoding.append(text)
            if not text.wants:
                self.decoding.remove(text)
                self.model.clear(text.slot)
        return sorted(events, key=lambda event: event[0])
