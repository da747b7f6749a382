# id: A11
# tries: raises KeyboardInterrupt when its signature is inspected
# expect: RE
# message: KeyboardInterrupt
class Attention:
    @property
    def __signature__(self):
        raise KeyboardInterrupt

    def __call__(self, q, k, v):
        return q


attention = Attention()
