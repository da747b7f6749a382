"""Checks whether a node may join."""

from api import VERSION
from api.judging.dispatch.connected_nodes import CPU, CUDA, devices_lacking
from grader.contract import subjects, transport

MOST_SLOTS = 1024


def refusal(name: str, hello: transport.FromNode) -> str:
    """Return why a node with this Hello message is refused, or "" if it may join."""
    if not isinstance(hello, transport.Hello) or hello.node != name:
        return f"A node with the token of «{name}» says that it is another one."
    theirs = hello.versions.get("wire", "none")
    if theirs != subjects.WIRE:
        has = hello.versions.get("gradus", "an older Gradus")
        return (
            f"The node ({has}) speaks version {theirs} of the wire and the service ({VERSION}) version {subjects.WIRE}. "
            "Install the same Gradus on both."
        )
    slots = list(hello.slots.values())
    if hello.device not in (CPU, CUDA) or min(slots, default=-1) < 0 or not 0 < sum(slots) <= MOST_SLOTS:
        return f"The node says that it has {hello.slots} slots on {hello.device!r}; that cannot be."
    # A GPU node that names no GPU may join. It keeps looking for a GPU and gets no jobs until it finds one.
    return f"{devices_lacking(hello)}: a GPU has one tenant at a time." if hello.gpus and devices_lacking(hello) else ""
