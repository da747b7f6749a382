"""The system call profile of a whole container, in Docker's format, made from grader/inside/syscalls.py.

The node hands `profile_text()` to the engine (the API takes the profile's text, not a path); the copy in
deploy/seccomp/container.json is for those who start a container by hand. `python -m grader.seccomp_profile` prints it.
Understood by Docker Engine 20.10 with runc 1.1 and later; names that an old libseccomp does not know are ignored there.
"""

import errno
import json
from typing import Any

from grader.inside.seccomp import NEW_NAMESPACES
from grader.inside.syscalls import EVERYONE, ZYGOTE

_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16  # no packet, alg, vsock, …

# The engine's runtime refuses to start without some of the zygote's calls (execve above all), and the filter cannot
# tell zygote and child apart: what children must not do is the business of their own filter.
_FREE = sorted([*EVERYONE, *ZYGOTE, "fcntl", "ioctl", "prctl", "prlimit64"])


def container_profile() -> dict[str, Any]:
    """Allow-list with EPERM as the answer to all else; native machine only, since i386 hides socket families."""
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": errno.EPERM,
        "archMap": [
            {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
            {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
        ],
        "syscalls": [
            _allow(_FREE),
            _allow(["clone"], _argument(0, "MASKED_EQ", NEW_NAMESPACES)),
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS},
            *(_allow(["socket"], _argument(0, "EQ", family)) for family in (_AF_UNIX, _AF_INET, _AF_INET6)),
            # netlink's protocol 0 lists network interfaces, which gloo does; the other protocols stay shut
            _allow(["socket"], _argument(0, "EQ", _AF_NETLINK), _argument(2, "EQ", 0)),
            _allow(["socketpair"], _argument(0, "EQ", _AF_UNIX)),
        ],
    }


def profile_text() -> str:
    """The profile as JSON, for `security_opt=["seccomp=" + profile_text()]`."""
    return json.dumps(container_profile(), indent=1) + "\n"


def _allow(names: list[str], *arguments: dict[str, int | str]) -> dict[str, Any]:
    return {"names": names, "action": "SCMP_ACT_ALLOW", "args": list(arguments)}


def _argument(index: int, comparison: str, value: int) -> dict[str, int | str]:
    return {"index": index, "value": value, "op": f"SCMP_CMP_{comparison}"}


if __name__ == "__main__":
    print(profile_text(), end="")
