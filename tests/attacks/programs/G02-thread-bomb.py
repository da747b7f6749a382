# id: G2
# tries: starts threads without end
# expect: RE
# message: can't start new thread
import threading
import time


def attention(q, k, v):
    while True:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
