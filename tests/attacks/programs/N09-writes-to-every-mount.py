# id: N9
# tries: looks for a mount besides its own two that is not read-only, and tries to write to each
# expect: AC
import contextlib
import math
import os

OWN = ("/tmp", "/dev/shm")
with open("/proc/self/mountinfo") as file:
    mounts = [(line.split()[4], line.split()[5].split(",")) for line in file]
worked = [f"no mount at {place}" for place in (*OWN, "/proc", "/run/gradus") if place not in dict(mounts)]
for place, options in mounts:
    hidden = any(place != own and place.startswith(own + "/") for own in OWN)
    if place not in (*OWN, "/proc") and "ro" not in options and not hidden:
        worked.append(f"{place} is not read-only")
    if place in OWN and not {"nosuid", "nodev", "noexec"} <= set(options):
        worked.append(f"{place}: {options}")
    if place not in OWN:
        with contextlib.suppress(OSError):
            os.close(os.open(os.path.join(place, "left"), os.O_CREAT | os.O_WRONLY))
            worked.append(f"wrote to {place}")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
