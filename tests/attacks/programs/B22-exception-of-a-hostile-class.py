# id: B22
# tries: raises exceptions whose metaclass raises when it is asked for a name, or whose text is a str with overridden methods
# expect: RE
class Meta(type):
    @property
    def __module__(cls):
        raise KeyboardInterrupt

    @property
    def __name__(cls):
        raise SystemExit(0)


class Text(str):
    def __getitem__(self, place):
        return self

    def encode(self, *args, **kwargs):
        return self

    def decode(self):
        return {"passed": True}


class Odd(ValueError, metaclass=Meta):
    pass


class Talks(ValueError):
    def __str__(self):
        return Text("CANARY")


def attention(q, k, v):
    raise Odd("x") if q.dim() == 2 else Talks
