"""A probe in which a child creates a hostile tree of files in two directories. The probe then removes the tree as a zygote
does, and prints as JSON what is left.

Arguments: the child's uid (0 means that the child keeps the probe's uid), the depth of the tree, the number of files, and the
two directories.
"""

import json
import os
import signal
import sys
import time

from grader.inside.confine import kernel
from grader.inside.zygote.wipe import empty_directories


def plant(uid: int, depth: int, files: int, directories: list[str]) -> None:
    if uid:
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    first, second = directories
    os.chdir(second)
    for name in ("plain", "-rf *", "\N{SKULL}", os.fsdecode(b"\xff\n\xfe"), "x" * 255):
        os.mknod(name, 0o000)
    os.mkfifo("pipe")
    os.symlink(os.environ["BYSTANDER"], "link")
    os.mkdir("locked")
    os.symlink("../..", "locked/up")
    os.mkdir("locked/inside")
    os.mknod("locked/inside/file")
    os.chmod("locked/inside", 0o000)
    os.chmod("locked", 0o000)
    os.mkdir("many")
    for number in range(files):
        os.mknod(f"many/{number}")
    os.chdir(first)
    for _ in range(depth):
        os.mkdir("d", 0o700)
        os.chdir("d")


def main(uid: int, depth: int, files: int, directories: list[str]) -> None:
    pid = os.fork()
    if pid == 0:
        plant(uid, depth, files, directories)
        os._exit(0)
    planted = os.waitpid(pid, 0)[1] == 0
    before = [len(os.listdir(each)) for each in directories]
    started = time.monotonic()
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGUSR1)
    left = empty_directories(uid or os.getuid(), directories, deadline_s=120)
    kept = [kernel.parent_death_signal() == signal.SIGUSR1, os.geteuid() == os.getuid()]
    bystander = os.listdir(os.environ["BYSTANDER"])
    took = time.monotonic() - started
    print(
        json.dumps(
            {"planted": planted, "before": before, "left": left, "bystander": bystander, "took": took, "kept": kept}
        )
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
