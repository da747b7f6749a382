# id: G3
# tries: raises the limit of its stack and fills the stack with recursive calls through C
# expect: MLE|RE
# message: 192 MB|SIGSEGV
import resource
import sys


def attention(q, k, v):
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))
    sys.setrecursionlimit(10**9)
    return sorted([q], key=lambda _: attention(q, k, v))
