# id: G11
# tries: sorts objects whose comparison loops forever and catches every exception
# expect: TLE
# message: CPU time
class Thing:
    def __lt__(self, other):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue


def attention(q, k, v):
    return sorted([Thing(), Thing()])
