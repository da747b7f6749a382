"""A probe for the wipe, which removes the processes of a job. It runs under an ordinary account, where the zygote and all its
children have the same uid.

A job leaves orphaned processes in other sessions while a spare child waits for the next job. The probe then wipes the job: all
orphans must end, and the spare child must stay alive. The probe prints the numbers of processes as JSON.
"""

import json
import os
import sys
import time

from grader.inside.confine.confine import prepare_zygote
from grader.inside.confine.processes import descendants
from grader.inside.zygote.wipe import kill_uid


def sleeper() -> int:
    pid = os.fork()
    if pid == 0:
        time.sleep(120)
        os._exit(0)
    return pid


def job() -> int:
    pid = os.fork()
    if pid == 0:
        os.setsid()
        for _ in range(2):
            if os.fork() == 0:
                os.setsid()
                sleeper()
                os._exit(0)
        while len(descendants()) > 2:
            time.sleep(0.01)
        sleeper()
        os._exit(0)
    return pid


def main(become: str | None = None) -> None:
    if become is not None:
        os.setresgid(int(become), int(become), int(become))
        os.setresuid(int(become), int(become), int(become))
    prepare_zygote()
    spare = sleeper()
    os.waitpid(job(), 0)
    while len(descendants()) > 4:
        time.sleep(0.01)
        for each in descendants([spare]):
            os.waitpid(each.pid, os.WNOHANG)
    before = len(descendants())
    left = kill_uid(os.getuid(), keep=[spare])
    alive = os.waitpid(spare, os.WNOHANG) == (0, 0)
    after = len(descendants([spare]))
    kill_uid(os.getuid())
    print(json.dumps({"before": before, "left": left, "spare alive": alive, "orphans alive": after}))


if __name__ == "__main__":
    main(*sys.argv[1:])
