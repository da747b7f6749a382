# id: A11
# tries: interrupts when its signature is looked at
# expect: RE
# message: KeyboardInterrupt
class Attention:
    @property
    def __signature__(self):
        raise KeyboardInterrupt

    def __call__(self, q, k, v):
        return q


attention = Attention()
