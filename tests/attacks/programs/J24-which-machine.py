# id: J24
# tries: identifies the machine and the cell by host names, ids, serial numbers and keys
# allowed: what every program sees: processor, kernel version, amount of memory
# expect: AC
import contextlib
import glob
import math
import os
import re
import socket

worked = []
worked += [socket.gethostname()] if socket.gethostname() != "cell" else []
with contextlib.suppress(OSError), open("/etc/hostname") as file:
    worked += ["hostname"] if file.read().strip() not in ("cell", "") else []
for path in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
    with contextlib.suppress(OSError), open(path) as file:
        worked += [path] if re.fullmatch(r"[0-9a-f]{32}\s*", file.read()) else []
for path in glob.glob("/sys/class/dmi/id/*serial*") + glob.glob("/sys/class/dmi/id/*uuid*") + ["/sys/firmware/dmi/tables/DMI"]:
    with contextlib.suppress(OSError), open(path, "rb") as file:
        worked += [path] if file.read(1) else []
for path in ("/proc/keys", "/proc/kcore", "/proc/timer_list", "/proc/sched_debug", "/proc/kallsyms", "/proc/iomem", "/proc/1/environ"):
    with contextlib.suppress(OSError), open(path, "rb") as file:
        text = file.read(4096)
        worked += [path] if text and not re.fullmatch(rb"(?m)([0 ]{8,}.*|\s+[0-]+.*|\n)+", text) else []
secret = re.compile(r"TOKEN|SECRET|PASSWORD|KEY|SEED|DIGEST|GRADUS", re.IGNORECASE)
worked += [name for name in os.environ if secret.search(name)]
for path in glob.glob("/proc/[0-9]*/cmdline") + ["/proc/cmdline"]:
    with contextlib.suppress(OSError), open(path) as file:
        worked += [path] if secret.search(file.read().replace("/run/gradus", "")) else []
folders = ("/run/secrets", "/var/run/secrets", "/root", "/etc/ssl/private", "/etc/docker", "/etc/shadow", "/.dockerenv")
for path in folders:
    with contextlib.suppress(OSError):
        worked += [path] if (os.path.isdir(path) and os.listdir(path)) or (os.path.isfile(path) and open(path).read()) else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
