"""Detects whether the kernel has killed processes of a host because memory ran out."""

from grader.hosts.host import Host


class OomKills:
    """Detects whether the kernel has killed processes of `host` since this object was created or `forget` was last called."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._before = host.oom_kills()

    @property
    def happened(self) -> bool:
        return self._host.oom_kills() > self._before

    def forget(self) -> None:
        """Ignore the kills that have happened so far. After this call, `happened` reports only later ones."""
        self._before = self._host.oom_kills()
