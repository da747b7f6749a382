# id: G14
# tries: is stopped by its own child again and again, from a thread beside its main one
# expect: TLE
# message: took longer
import os
import signal
import threading
import time


def stop(pid):
    while True:
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.02)


def attention(q, k, v):
    parent = os.getpid()
    if os.fork() == 0:
        threading.Thread(target=stop, args=(parent,)).start()
        time.sleep(1000)
    while True:
        time.sleep(0.01)
