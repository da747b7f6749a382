"""Builds the system call filter of a whole container, in Docker's format, from the tables in grader/inside/confine/syscalls.py.

The node passes `profile_text()` to the engine, whose API takes the text of the profile and not a path. The copy in
deploy/seccomp/container.json is for containers that are started manually; `python -m grader.hosts.seccomp_profile` prints the
same text. The profile works with Docker Engine 20.10 or later and runc 1.1 or later. If libseccomp is too old to know a system
call, it ignores the call's name.
"""

import errno
import json
import signal
from typing import Any

from grader.inside.confine.kernel import NAMESPACES
from grader.inside.confine.syscalls import EVERYONE, ZYGOTE

# The allowed socket families; packet, alg, vsock etc. are not.
_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16

# Calls that are allowed with any arguments. Some of them, such as execve, are needed only by the container runtime and the
# zygote. This filter applies to the zygote and to its children, but the children get a second, stricter filter.
_FREE = sorted([*EVERYONE, *ZYGOTE, "fcntl", "ioctl", "prctl", "prlimit64"])


def container_profile() -> dict[str, Any]:
    """Build the filter as an allow-list: every call that is not listed fails with EPERM.

    Only the native architecture is allowed, because i386's `socketcall` hides the socket family from the filter.
    """
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": errno.EPERM,
        "archMap": [
            {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
            {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
        ],
        "syscalls": [
            _allow(_FREE),
            _allow(["clone"], _argument(0, "MASKED_EQ", NAMESPACES)),
            # The zygote forks each child into new namespaces of all kinds; the filter of the children forbids that.
            _allow(["clone"], _argument(0, "EQ", NAMESPACES | signal.SIGCHLD)),
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS},
            *(_allow(["socket"], _argument(0, "EQ", family)) for family in (_AF_UNIX, _AF_INET, _AF_INET6)),
            # gloo lists network interfaces through netlink's protocol 0; the other protocols stay blocked
            _allow(["socket"], _argument(0, "EQ", _AF_NETLINK), _argument(2, "EQ", 0)),
            _allow(["socketpair"], _argument(0, "EQ", _AF_UNIX)),
        ],
    }


def profile_text() -> str:
    """Return the profile as JSON, for `security_opt=["seccomp=" + profile_text()]`."""
    return json.dumps(container_profile(), indent=1) + "\n"


def _allow(names: list[str], *arguments: dict[str, int | str]) -> dict[str, Any]:
    return {"names": names, "action": "SCMP_ACT_ALLOW", "args": list(arguments)}


def _argument(index: int, comparison: str, value: int) -> dict[str, int | str]:
    return {"index": index, "value": value, "op": f"SCMP_CMP_{comparison}"}


if __name__ == "__main__":
    print(profile_text(), end="")
