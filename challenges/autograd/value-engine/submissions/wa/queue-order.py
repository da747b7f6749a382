# caught by: test_random_graphs[0]
"""Breadth-first: a node may pass its gradient on before all of it has arrived."""


import math


class Value:
    def __init__(self, data, parents=()):
        self.data = float(data)
        self.grad = 0.0
        self._parents = parents  # pairs (Value, derivative of this by that)

    def __add__(self, other):
        if isinstance(other, Value):
            return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))
        return Value(self.data + other, ((self, 1.0),))

    def __mul__(self, other):
        if isinstance(other, Value):
            return Value(self.data * other.data, ((self, other.data), (other, self.data)))
        return Value(self.data * other, ((self, float(other)),))

    def __pow__(self, n):
        slope = n * self.data ** (n - 1) if n else 0.0
        return Value(self.data**n, ((self, slope),))

    def exp(self):
        out = math.exp(self.data)
        return Value(out, ((self, out),))

    def tanh(self):
        out = math.tanh(self.data)
        return Value(out, ((self, 1 - out * out),))

    def relu(self):
        return Value(max(self.data, 0.0), ((self, float(self.data > 0)),))

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return self**-1 * other

    __radd__ = __add__
    __rmul__ = __mul__

    def backward(self):
        pending, queue, seen = {self: 1.0}, [self], {self}
        while queue:
            node = queue.pop(0)
            arrived = pending.pop(node, 0.0)
            node.grad += arrived
            for parent, slope in node._parents:
                pending[parent] = pending.get(parent, 0.0) + arrived * slope
                if parent not in seen:
                    seen.add(parent)
                    queue.append(parent)
