"""A probe that starts a fork bomb. Its processes ignore signals, leave their session and send signals to other processes. The
probe then kills all of them as a zygote does, and prints the outcome as JSON.
"""

import json
import os
import signal
import sys
import time

from grader.inside.confine.confine import Confinement, confine, prepare_zygote
from grader.inside.confine.processes import tasks_of
from grader.inside.confine.seccomp import candidate_filter, install
from grader.inside.zygote.audit import audit, take_baseline
from grader.inside.zygote.wipe import kill_uid


def shoot_strangers(family: int) -> None:
    while True:
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and int(name) > 1 and os.getsid(int(name)) != family:
                    os.kill(int(name), signal.SIGSTOP)
            except OSError:
                continue


def explode() -> None:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    for _ in range(3):
        if os.fork() == 0:
            shoot_strangers(os.getsid(0))
    while True:
        try:
            if os.fork() == 0:
                os.setsid()
        except OSError:
            time.sleep(0.001)


def main(uid: int, processes: int, workdir: str) -> None:
    prepare_zygote()
    baseline = take_baseline([])
    wanted = Confinement(uid=uid, gid=uid, workdir=workdir, processes=processes, file_bytes=0)
    pid = os.fork()
    if pid == 0:
        confine(wanted)
        install(candidate_filter(loopback=False, execute=False))
        explode()
    grown = time.monotonic() + 20
    while (peak := tasks_of(uid)) < processes // 2 and time.monotonic() < grown:
        time.sleep(0.02)
    started = time.monotonic()
    left = kill_uid(uid, deadline_s=60)
    took = time.monotonic() - started
    print(json.dumps({"peak": peak, "left": left, "took": took, "audit": audit(baseline), "forks": can_fork()}))


def can_fork() -> bool:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
