"""One loop for both trips, and slices of one vector."""


def all_reduce(rank, size, x):
    out = x.contiguous().view(-1).clone()
    total = out.shape[0]
    edges = [total * i // size for i in range(size + 1)]

    def part(i):
        i %= size
        return out[edges[i] : edges[i + 1]]

    for step in range(2 * (size - 1)):
        arrived = yield part(rank - step).clone()
        place = part(rank - step - 1)
        place.copy_(place + arrived if step < size - 1 else arrived)
    return out.view(x.shape)
