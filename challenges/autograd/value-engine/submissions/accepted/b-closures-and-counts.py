"""Closures for the local rules, and Kahn's algorithm: a node is ready when all of its users have been visited."""

from collections import Counter, deque
from math import exp, tanh


def lifted(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    __slots__ = ("data", "grad", "_inputs", "_rule")

    def __init__(self, data):
        self.data = float(data)
        self.grad = 0.0
        self._inputs = ()
        self._rule = None

    @classmethod
    def _made(cls, data, inputs, rule):
        out = cls(data)
        out._inputs, out._rule = inputs, rule
        return out

    def __add__(self, other):
        other = lifted(other)
        return Value._made(self.data + other.data, (self, other), lambda g: (g, g))

    def __sub__(self, other):
        other = lifted(other)
        return Value._made(self.data - other.data, (self, other), lambda g: (g, -g))

    def __mul__(self, other):
        other = lifted(other)
        a, b = self.data, other.data
        return Value._made(a * b, (self, other), lambda g: (g * b, g * a))

    def __truediv__(self, other):
        other = lifted(other)
        a, b = self.data, other.data
        return Value._made(a / b, (self, other), lambda g: (g / b, -g * a / (b * b)))

    def __radd__(self, other):
        return lifted(other) + self

    def __rsub__(self, other):
        return lifted(other) - self

    def __rmul__(self, other):
        return lifted(other) * self

    def __rtruediv__(self, other):
        return lifted(other) / self

    def __neg__(self):
        return Value._made(-self.data, (self,), lambda g: (-g,))

    def __pow__(self, n):
        a = self.data
        return Value._made(a**n, (self,), lambda g: (g * n * a ** (n - 1) if n != 0 else 0.0,))

    def exp(self):
        y = exp(self.data)
        return Value._made(y, (self,), lambda g: (g * y,))

    def tanh(self):
        y = tanh(self.data)
        return Value._made(y, (self,), lambda g: (g * (1 - y) * (1 + y),))

    def relu(self):
        on = self.data > 0
        return Value._made(self.data if on else 0.0, (self,), lambda g: (g if on else 0.0,))

    def backward(self):
        users, reached, queue = Counter(), {id(self)}, deque([self])
        while queue:
            for node in queue.popleft()._inputs:
                users[id(node)] += 1
                if id(node) not in reached:
                    reached.add(id(node))
                    queue.append(node)
        arrived = {id(self): 1.0}
        ready = [self]
        while ready:
            node = ready.pop()
            g = arrived[id(node)]
            node.grad += g
            if node._rule is None:
                continue
            for source, part in zip(node._inputs, node._rule(g), strict=True):
                arrived[id(source)] = arrived.get(id(source), 0.0) + part
                users[id(source)] -= 1
                if users[id(source)] == 0:
                    ready.append(source)
