"""A probe that makes a system call through another ABI (binary interface of the kernel), and prints as JSON how the process
ended.

The first argument is «i386» (int 0x80) or «x32» (the x32 bit). The second is «filter» (install the candidate's filter before
the call) or «profile» (rely on the container's profile).
"""

import ctypes
import json
import mmap
import os
import signal
import sys

from grader.inside.confine import kernel
from grader.inside.confine.seccomp import candidate_filter, install

GETPID_I386 = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20; int 0x80; ret


def i386() -> None:
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(GETPID_I386)
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()


def main(abi: str, protection: str) -> None:
    pid = os.fork()
    if pid == 0:
        if protection == "filter":
            kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
            install(candidate_filter(loopback=False, execute=False))
        if abi == "i386":
            i386()
        else:
            kernel.syscall(0x40000000 + 39)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print(json.dumps({"ended": signal.Signals(-code).name if code < 0 else str(code)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
