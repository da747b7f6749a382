# id: N11
# tries: looks in /proc for anything about the machine: memory, keys, settings, interrupts, mounts, other partitions
# expect: AC
import contextlib
import math
import os

ALLOWED = {"self", "thread-self"}
worked = [name for name in os.listdir("/proc") if not name.isdigit() and name not in ALLOWED]
NAMES = "meminfo cpuinfo stat uptime kcore keys key-users kmsg kallsyms sysrq-trigger sys sysvipc modules mounts net interrupts"
NAMES += " timer_list sched_debug acpi bus driver fs irq scsi tty version cmdline iomem ioports slabinfo vmstat zoneinfo pressure"
worked += [name for name in NAMES.split() if os.path.lexists(f"/proc/{name}")]
with contextlib.suppress(OSError), open("/proc/self/net/dev") as file:
    worked += [line for line in file.readlines()[2:] if line.split(":")[0].strip() != "lo"]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
