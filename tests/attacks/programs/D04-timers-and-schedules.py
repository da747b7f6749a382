# id: D4
# tries: leaves timers and file watches running, and writes where cron, at, systemd and shell profiles would start it again
# expect: AC
import contextlib
import ctypes
import math
import os
import signal
import subprocess

libc = ctypes.CDLL(None, use_errno=True)
signal.signal(signal.SIGALRM, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
watch = libc.inotify_init1(0)
for path in (b"/tmp", b"/dev/shm", b"/usr"):
    libc.inotify_add_watch(watch, path, 0xFFF)

worked = []
FOLDERS = (
    "/etc/cron.d /var/spool/cron/crontabs /var/spool/at /etc/systemd/system /etc/profile.d /etc /run /root /usr/lib"
)
for folder in FOLDERS.split():
    with contextlib.suppress(OSError), open(os.path.join(folder, "again"), "w") as file:
        file.write("* * * * * root true\n")
        worked.append(folder)
for command in (["crontab", "-"], ["at", "now"], ["systemctl", "--user", "list-units"], ["/bin/true"]):
    with contextlib.suppress(OSError):
        subprocess.run(command, check=False, timeout=1)
        worked.append(command[0])


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
