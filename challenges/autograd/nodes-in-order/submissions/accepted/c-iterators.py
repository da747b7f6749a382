"""A stack of iterators, as recursion would keep it; leaves are found on a walk of their own."""


def nodes_of(t):
    root = t.grad_fn
    if root is None:
        return []
    seen, finished = {root}, []
    path = [(root, iter(root.next_functions))]
    while path:
        node, rest = path[-1]
        for parent, _ in rest:
            if parent is not None and parent not in seen:
                seen.add(parent)
                path.append((parent, iter(parent.next_functions)))
                break
        else:
            finished.append(node)
            path.pop()
    finished.reverse()
    return finished


def leaves_of(t):
    if t.grad_fn is None:
        return [t] if t.requires_grad else []
    leaves, seen, level = [], set(), {t.grad_fn}
    while level:
        seen |= level
        leaves += [node.variable for node in level if not node.next_functions]
        level = {parent for node in level for parent, _ in node.next_functions if parent is not None} - seen
    for place in reversed(range(len(leaves))):
        if not leaves[place].requires_grad:
            del leaves[place]
    return leaves
