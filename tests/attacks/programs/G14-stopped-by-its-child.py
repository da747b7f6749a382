# id: G14
# tries: is stopped with SIGSTOP again and again by a thread of its child
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
