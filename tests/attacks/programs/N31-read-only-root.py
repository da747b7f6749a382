# id: N31
# tries: creates, removes, renames, links and changes files everywhere outside its own two folders
# expect: AC
import contextlib
import math
import os

worked = []
PLACES = ["/", "/etc", "/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev", "/dev/null", "/dev/mqueue", "/dev/pts", "/run"]
PLACES += ["/run/gradus", "/var/tmp", "/usr/lib", "/opt/gradus", os.__file__, "/sys", "/root", "/home", "/var/lock", "/run/lock"]
for place in filter(os.path.exists, PLACES):
    inside = os.path.join(place, "left") if os.path.isdir(place) else place
    for name, act in {
        "make": lambda path: os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)),
        "folder": os.mkdir,
        "link": lambda path: os.symlink("/", path),
        "pipe": os.mkfifo,
        "rename": lambda path: os.rename(path, path + "-moved"),
        "append": lambda path: os.close(os.open(path, os.O_APPEND | os.O_WRONLY)) if os.path.isfile(path) else os.truncate(path, 1),
        "mode": lambda path: os.chmod(place, 0o777),
        "times": lambda path: os.utime(place),
        "attribute": lambda path: os.setxattr(place, "user.left", b"1"),
        "remove": os.unlink,
    }.items():
        with contextlib.suppress(OSError):
            act(inside)
            worked.append((name, inside))
    if place not in ("/dev/null",) and not os.statvfs(place).f_flag & os.ST_RDONLY:
        worked.append(f"{place} is not read-only")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
