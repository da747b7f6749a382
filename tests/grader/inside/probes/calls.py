"""A probe that makes raw system calls, each in a separate process, and prints the errno of each as JSON.

The argument says what restricts these processes: «zygote» (only the container's profile), «child» (confined and filtered like a
candidate's answer), «loopback» or «execute» (like a child, but with the permission of this name), or «filter» (root, with only
the filter of a candidate's answer). The probe reads a JSON list of [name, number, arguments…] from standard input.
"""

import errno
import json
import os
import signal
import sys

from grader.inside.confine import kernel
from grader.inside.confine.confine import Confinement, confine
from grader.inside.confine.seccomp import candidate_filter, install


def answer(number: int, arguments: list[int]) -> str:
    pid = os.fork()
    if pid:
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return errno.errorcode.get(code, "ok") if code >= 0 else signal.Signals(-code).name
    signal.alarm(5)
    try:
        kernel.syscall(number, *arguments)
    except OSError as error:
        os._exit(error.errno or 255)
    os._exit(0)


def prepare(role: str) -> None:
    if role == "zygote":
        return
    if role == "filter":
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    else:
        confine(Confinement(uid=70001, gid=70001, workdir="/tmp/job", processes=40, file_bytes=1 << 20, keep_fds=()))
    install(candidate_filter(loopback=role == "loopback", execute=role == "execute"))


def main(role: str) -> None:
    calls = json.load(sys.stdin)
    prepare(role)
    print(json.dumps({name: answer(number, arguments) for name, number, *arguments in calls}))


if __name__ == "__main__":
    main(*sys.argv[1:])
