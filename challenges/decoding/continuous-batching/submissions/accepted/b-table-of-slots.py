"""A table with a row for each slot. How much of a text has been fed is a number; the phases follow from it."""

import heapq


class Engine:
    def __init__(self, model, budget, eos):
        if not budget >= model.slots:
            raise ValueError("budget")
        self.model, self.budget, self.eos = model, budget, eos
        self.table = [None] * model.slots
        self.queue, self.next_number = [], 0

    def add(self, prompt, max_new_tokens):
        if len(prompt) == 0 or max_new_tokens <= 0:
            raise ValueError("request")
        number = self.next_number
        self.next_number = number + 1
        row = {"n": number, "text": [*prompt], "prompt": len(prompt), "end": len(prompt) + max_new_tokens, "fed": 0}
        heapq.heappush(self.queue, (number, row))
        return number

    def step(self):
        for s, row in enumerate(self.table):
            if row is None and self.queue:
                self.table[s] = heapq.heappop(self.queue)[1]
        rows = {s: row for s, row in enumerate(self.table) if row is not None}
        decoding = [s for s, row in rows.items() if row["fed"] >= row["prompt"]]
        prefill = sorted((s for s in rows if s not in decoding), key=lambda s: rows[s]["n"])
        pieces, spent = {s: rows[s]["text"][-1:] for s in decoding}, len(decoding)
        for s in prefill:
            fed = rows[s]["fed"]
            take = min(rows[s]["prompt"] - fed, self.budget - spent)
            if take > 0:
                pieces[s] = rows[s]["text"][fed : fed + take]
                spent += take
        found = {}
        if pieces:
            best = self.model(list(pieces), list(pieces.values())).argmax(dim=1).tolist()
            for (s, piece), token in zip(pieces.items(), best, strict=True):
                row = rows[s]
                row["fed"] += len(piece)
                if row["fed"] < row["prompt"]:
                    continue
                row["text"].append(token)
                found[row["n"]] = token
                if token == self.eos or len(row["text"]) == row["end"]:
                    self.table[s] = None
                    self.model.clear(s)
        return sorted(found.items())
