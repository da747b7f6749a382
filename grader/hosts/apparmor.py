"""Chooses the AppArmor profile of a node's containers.

Where AppArmor is on, the engine's own profile forbids a container to mount anything, and Ubuntu since 23.10 takes the
capabilities from the user namespaces of programs without a profile that allows them. The profile in deploy/apparmor allows what
the children's namespaces need, and nothing more. deploy/apparmor.sh loads it.
"""

from contextlib import suppress
from pathlib import Path
from typing import Any

PROFILE = "gradus-cell"
LOADED = Path("/sys/kernel/security/apparmor/profiles")


def has_apparmor(info: dict[str, Any]) -> bool:
    """Whether the engine, which told this `info`, gives containers an AppArmor profile."""
    return any("name=apparmor" in option.split(",") for option in info.get("SecurityOptions") or [])


def apparmor_profile(info: dict[str, Any], loaded: Path = LOADED) -> str | None:
    """Return the profile of the cells if the engine uses AppArmor and the kernel has loaded it. Otherwise return None, which
    leaves the choice to the engine. Only root can read which profiles are `loaded`.
    """
    with suppress(OSError):
        if has_apparmor(info) and any(line.split(" ")[0] == PROFILE for line in loaded.read_text().splitlines()):
            return PROFILE
    return None
