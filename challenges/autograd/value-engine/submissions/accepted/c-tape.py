"""A running number for each Value: later ones depend on earlier ones only, so a heap gives the order."""

import heapq
import itertools
import math

CLOCK = itertools.count()


class Value:
    def __init__(self, data, sources=()):
        self.data, self.grad = float(data), 0.0
        self.sources, self.born = sources, next(CLOCK)

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __neg__(self):
        return Value(-self.data, [(self, -1.0)])

    def __sub__(self, other):
        return self + -as_value(other)

    def __mul__(self, other):
        other = as_value(other)
        return Value(self.data * other.data, [(self, other.data), (other, self.data)])

    def __truediv__(self, other):
        other = as_value(other)
        return Value(self.data / other.data, [(self, 1 / other.data), (other, -self.data / other.data**2)])

    def __pow__(self, power):
        slope = 0.0 if power == 0 else power * math.pow(self.data, power - 1)
        return Value(math.pow(self.data, power), [(self, slope)])

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return as_value(other) - self

    def __rtruediv__(self, other):
        return as_value(other) / self

    def exp(self):
        return Value(math.exp(self.data), [(self, math.exp(self.data))])

    def tanh(self):
        return Value(math.tanh(self.data), [(self, 1 - math.tanh(self.data) ** 2)])

    def relu(self):
        return Value(self.data, [(self, 1.0)]) if self.data > 0 else Value(0.0, [(self, 0.0)])

    def backward(self):
        arrived, heap = {self.born: 1.0}, [(-self.born, self)]
        while heap:
            born, node = heapq.heappop(heap)
            g = arrived.pop(-born)
            node.grad += g
            for source, slope in node.sources:
                if source.born not in arrived:
                    arrived[source.born] = 0.0
                    heapq.heappush(heap, (-source.born, source))
                arrived[source.born] += g * slope


def as_value(x):
    return x if isinstance(x, Value) else Value(x)
