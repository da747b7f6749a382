"""Counts the users of each node first; a node is ready when all of its users are in the list."""

from collections import Counter, deque


def parents(node):
    return [parent for parent, _ in node.next_functions if parent is not None]


def nodes_of(t):
    if t.grad_fn is None:
        return []
    found, users = {t.grad_fn}, Counter()
    todo = deque(found)
    while todo:
        for parent in parents(todo.popleft()):
            users[parent] += 1
            if parent not in found:
                found.add(parent)
                todo.append(parent)
    ready, order = deque([t.grad_fn]), []
    while ready:
        node = ready.popleft()
        order.append(node)
        for parent in parents(node):
            users[parent] -= 1
            if users[parent] == 0:
                ready.append(parent)
    return order


def leaves_of(t):
    if t.is_leaf:
        return [t] * t.requires_grad
    found = (node.variable for node in nodes_of(t) if "AccumulateGrad" in node.name())
    return list(filter(lambda leaf: leaf.requires_grad, found))
