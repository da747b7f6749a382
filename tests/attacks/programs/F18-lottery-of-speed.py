# id: F18
# tries: is too slow by a factor that is drawn for each submission, in the hope that one is accepted by luck
# expect: WA
# message: five times slower
# package: smoothing
import random

times = random.SystemRandom().randint(15, 30)


def smooth(x):
    for _ in range(times):
        out = (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
    return out
