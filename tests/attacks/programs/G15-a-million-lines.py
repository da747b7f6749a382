# id: G15
# tries: compiles a million lines when it is called
# expect: TLE|MLE
# message: CPU time|192 MB|MemoryError
def attention(q, k, v):
    exec("a = [1]\n" * 1_000_000)
