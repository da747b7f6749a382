# id: D15
# tries: puts links, devices and pipes into its folder under names of result files, and replaces the folder with a link to /usr
# expect: AC
import contextlib
import math
import os
import stat

home = os.environ["HOME"]
NAMES = "result.json results.xml solution.py tests.py stdout stderr core .coverage verdict status exit_code".split()
for number, name in enumerate(NAMES):
    with contextlib.suppress(OSError):
        target = ("/etc/passwd", "/usr/lib", "/proc/1/root", "..", home, "/dev/full", "/proc/self/fd/0")[number % 7]
        os.symlink(target, os.path.join(home, name))
with contextlib.suppress(OSError):
    os.mkfifo(os.path.join(home, "log"))
for name, kind in (("null", stat.S_IFCHR), ("disk", stat.S_IFBLK)):
    with contextlib.suppress(OSError):
        os.mknod(os.path.join(home, name), kind | 0o666, os.makedev(1, 3))
for source in ("/etc/passwd", "/usr/bin/python3", "/proc/self/environ"):
    with contextlib.suppress(OSError):
        os.link(source, os.path.join(home, "hard" + os.path.basename(source)))
with contextlib.suppress(OSError):
    os.chdir("/")
    os.rename(home, home + "-moved")
    os.symlink("/usr", home)
with contextlib.suppress(OSError):
    os.symlink("/etc", "/tmp/job-1")
    os.symlink("/tmp/loop", "/tmp/loop")
    os.makedirs("/dev/shm/" + "d/" * 200)
    os.chmod(home + "-moved", 0)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
