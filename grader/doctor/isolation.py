"""Evaluates what the probe (probe.py) measured in a container. A node judges only if all of these checks pass, except
`namespaces`: without them, it judges slowly.

The docstring of each check says what must be true.
"""

import errno
import os
import subprocess
from pathlib import Path

from grader.doctor import probe
from grader.doctor.container import INODES, SHAPE, Measured
from grader.doctor.findings import Finding, Group, State, line
from grader.inside.confine.namespaces import UNMADE

NAMES = {0: "CHOWN", 1: "DAC_OVERRIDE", 12: "NET_ADMIN", 13: "NET_RAW", 19: "SYS_PTRACE", 21: "SYS_ADMIN", 27: "MKNOD"}
UNGIVEN = "every container is made with this, so the engine or its runtime ignores it: use Docker Engine with runc"
CLOCK_S = 5.0
PRICE = "Each judging starts a new container instead, which takes some 4 s of processor time"
Found = tuple[bool, str]

_ADVICE = {
    "seccomp": "a kernel with CONFIG_SECCOMP_FILTER and an engine with libseccomp are needed (docker info shows seccomp)",
    "memory": "a memory cgroup is needed: mount cgroup v2, or boot with cgroup_enable=memory swapaccount=1",
    "processes": "a pids cgroup is needed: CONFIG_CGROUP_PIDS, and its hierarchy mounted",
    "cpu": "the node must be able to read a container's CPU time under /sys/fs/cgroup: time limits rest on it",
    "clock": "no time namespace may shift it, and it must not be set while something is judged",
    "aslr": "sysctl -w kernel.randomize_va_space=2, and start nothing under setarch -R",
}


def findings(measured: Measured) -> list[Finding]:
    """Run all checks of the isolation. Returns one finding for each check."""
    rows = {
        "seccomp": ("System call filter", seccomp(measured)),
        "privileges": ("No new privileges", privileges(measured)),
        "capabilities": ("Capabilities", capabilities(measured)),
        "root": ("Read-only root", root(measured)),
        "network": ("No network", network(measured)),
        "memory": ("Memory limit", memory(measured)),
        "processes": ("Process limit", processes(measured)),
        "cpu": ("CPU accounts", cpu(measured)),
        "tmpfs": ("Limits of /tmp", tmpfs(measured)),
        "cores": ("No core dumps", cores(measured)),
        "clock": ("Clock inside", clock(measured)),
        "aslr": ("Random addresses", aslr()),
    }
    required = [line(Group.ISOLATION, key, *row, _ADVICE.get(key, UNGIVEN)) for key, row in rows.items()]
    return [*required, namespaces(measured)]


def namespaces(measured: Measured) -> Finding:
    """Check that processes can be forked into namespaces of their own. If not, each judging gets a new container instead."""
    why, took = measured.inside["namespaces"]["problem"], measured.inside["namespaces"]["ms"]
    text = f"{why}. {PRICE}" if why else f"made and gone in {took:.0f} ms"
    advice = _mending(why, apparmor=measured.apparmor)
    return line(Group.ISOLATION, "namespaces", "Fresh namespaces", (not why, text), advice, worst=State.WARNING)


def _mending(why: str, *, apparmor: bool) -> str:
    """Return what lets processes be forked into new namespaces, by the reason why they cannot."""
    if why == f"{UNMADE}: {os.strerror(errno.ENOSPC)}":
        return "sysctl -w user.max_user_namespaces=65536"
    if why == f"{UNMADE}: {os.strerror(errno.EPERM)}":
        return "sysctl -w kernel.unprivileged_userns_clone=1, or leave the sandbox that this engine itself runs in"
    if apparmor:
        return "load the AppArmor profile of cells: bash deploy/apparmor.sh, then start the node again"
    return "«Namespaces» in docs/nodes.md lists the settings that allow them"


def seccomp(measured: Measured) -> Found:
    """Check that the kernel filters the system calls of process 1, and that the filter is our profile. Docker's default profile
    allows some of the system calls that the probe tries, such as shmget.
    """
    mode, denied = measured.inside["status"]["Seccomp"], measured.inside["denied"]
    wrong = [name for name, found in denied.items() if found != (errno.ENOSYS if name == "clone3" else errno.EPERM)]
    if mode != "2":
        return False, f"process 1 has Seccomp: {mode}, not 2"
    if wrong or not denied:
        return False, f"not denied: {', '.join(wrong) or 'unknown'}"
    return True, f"mode 2; {len(denied)} forbidden calls were tried, all denied"


def privileges(measured: Measured) -> Found:
    """Check that programs cannot gain privileges when they are executed (NoNewPrivs)."""
    value = measured.inside["status"]["NoNewPrivs"]
    return value == "1", f"NoNewPrivs: {value}"


def capabilities(measured: Measured) -> Found:
    """Check that the container has no capability."""
    masks = {name: int(measured.inside["status"][name], 16) for name in ("CapBnd", "CapEff", "CapPrm", "CapInh")}
    extra = 0
    for mask in masks.values():
        extra |= mask
    if extra:
        names = [NAMES.get(bit, str(bit)) for bit in range(extra.bit_length()) if extra >> bit & 1]
        return False, f"too many: {', '.join(names[:6])}{' …' if len(names) > 6 else ''}"
    return True, "none"


def root(measured: Measured) -> Found:
    """Check that everything in the container outside /tmp and /dev/shm is mounted read-only."""
    writable = measured.inside["writable"]
    return not writable, f"writable: {', '.join(writable)}" if writable else "everything is mounted read-only"


def network(measured: Measured) -> Found:
    """Check that the container has no network interface except loopback."""
    names = [name for name in measured.inside["interfaces"] if name != "lo"]
    return not names, f"interfaces: {', '.join(names)}" if names else "loopback only"


def memory(measured: Measured) -> Found:
    """Check three things: a process that exceeds the memory limit is killed, the cgroup counts this kill, and the limit can be
    changed while the container runs.
    """
    got = measured.inside["memory"]
    taken, limit = got["bytes"] >> 20, SHAPE.memory_mb
    if not got["signal"] or taken > limit:
        return False, f"a process took {taken} MB where {limit} are allowed"
    if not measured.oom_kills:
        return False, f"a process was killed at {taken} of {limit} MB, but the cgroup does not count it"
    if not measured.limit_moves:
        return False, "the limit of a running container cannot be changed"
    return True, f"killed at {taken} of {limit} MB, and counted (cgroup v{measured.version})"


def processes(measured: Measured) -> Found:
    """Check that fork fails when the process limit is reached."""
    count = measured.inside["processes"] + 1
    return count <= SHAPE.pids, f"{count} processes where {SHAPE.pids} are allowed"


def cpu(measured: Measured) -> Found:
    """Check that the cgroup of the container counts at least half of the CPU time that the probe used in it."""
    burnt = measured.inside["cpu"]
    return measured.cpu_s >= burnt / 2, f"{burnt * 1000:.0f} ms used, {measured.cpu_s * 1000:.0f} ms on the account"


def tmpfs(measured: Measured) -> Found:
    """Check that /tmp and /dev/shm limit the bytes and the number of their files, and that these files cannot be executed."""
    wrong = []
    for place, size_mb in (("/tmp", SHAPE.tmp_mb), ("/dev/shm", SHAPE.shm_mb)):
        got = measured.inside["tmpfs"][place]
        wrong += [f"{place} took {got['bytes'] >> 20} MB of {size_mb}"] if got["bytes"] > size_mb << 20 else []
        wrong += [f"{place} took {got['files']:,} files of {INODES[place]:,}"] if got["files"] > INODES[place] else []
        wrong += [f"{place} holds files that can be run"] if not got["execute"] else []
    return not wrong, "; ".join(wrong) or "bytes, files and noexec hold in /tmp and /dev/shm"


def cores(measured: Measured) -> Found:
    """Check that the size limit of core dumps is 0, so that no process leaves one."""
    limits = measured.inside["core"]
    return limits == [0, 0], "limit 0" if limits == [0, 0] else f"limits {limits[0]} and {limits[1]}, not 0"


def clock(measured: Measured) -> Found:
    """Check that the container's clock differs from the host's by less than CLOCK_S seconds."""
    return (
        measured.clock_s < CLOCK_S,
        f"{'same as outside' if measured.clock_s < CLOCK_S else f'{measured.clock_s:.0f} s off'}",
    )


def aslr() -> Found:
    """Check that address space layout randomization is on: in three starts of a program, its stack is not always at the same
    address.
    """
    maps = [subprocess.run(["cat", "/proc/self/maps"], capture_output=True, text=True, check=True) for _ in range(3)]
    stacks = {row for each in maps for row in each.stdout.splitlines() if row.endswith("[stack]")}
    level = Path("/proc/sys/kernel/randomize_va_space").read_text().strip()
    return len(stacks) > 1, f"{len(stacks)} places of the stack in 3 starts (randomize_va_space is {level})"


def current(measured: Measured) -> Finding:
    """Check whether the image contains the same version of the grader's code as the checkout that runs this check."""
    here = probe.digest(str(Path(probe.__file__).parents[1]))
    inside = measured.inside["code"]
    text = (
        "the code that runs here" if inside == here else "another version of our code" if inside else "none of our code"
    )
    return line(Group.ENGINE, "code", "Code in the image", (inside == here, text), "rebuild it: make image")
