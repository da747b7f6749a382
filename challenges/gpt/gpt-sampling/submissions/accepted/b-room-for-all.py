"""Room for the whole text from the start; the border is found by sorting."""

import torch


def next_token(scores, temperature=1.0, top_k=None, generator=None):
    if temperature < 0:
        raise ValueError("temperature")
    if top_k is not None and top_k <= 0:
        raise ValueError("top_k")
    if temperature == 0:
        # the first of equal scores
        return (scores == scores.amax(-1, keepdim=True)).int().argmax(-1)
    scaled = scores / temperature
    if top_k is not None and top_k < scores.shape[1]:
        border = scaled.sort(dim=-1, descending=True).values[:, top_k - 1]
        scaled = torch.where(scaled >= border.unsqueeze(-1), scaled, float("-inf"))
    p = torch.softmax(scaled, dim=-1)
    return torch.multinomial(p, 1, generator=generator).squeeze(1)


def generate(model, ids, steps, temperature=1.0, top_k=None, end=None, generator=None):
    B, T = ids.shape
    room = ids.new_zeros(B, T + steps)
    room[:, :T] = ids
    was = {name: module.training for name, module in model.named_modules()}
    model.eval()
    open_rows = torch.ones(B, dtype=torch.bool)
    with torch.inference_mode():
        for t in range(T, T + steps):
            first = max(0, t - model.embed.context)
            row = next_token(model(room[:, first:t])[:, -1, :], temperature, top_k, generator)
            if end is not None:
                row[~open_rows] = end
                open_rows &= row != end
            room[:, t] = row
            if not open_rows.any():
                room[:, t:] = end
                break
    for name, module in model.named_modules():
        module.training = was[name]
    return room
