"""Cleans up after a job: kills every process of the job's uid, and empties every directory that the job could write to.

Nothing here trusts what the job left behind: processes may fork, ignore signals and send signals themselves, and directory
trees may be deep, wide, unreadable and full of links. Both steps have a deadline and return what they could not remove.
"""

import os
import signal
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from grader.inside.confine import kernel
from grader.inside.confine.processes import Process, all_running, descendants

# The real and saved uid of the helper that kills a job's processes. No job runs as this uid, so no job can signal the helper.
_KILLER = 65533
_PAUSE_S = 0.002


def kill_uid(uid: int, *, keep: Collection[int] = (), deadline_s: float = 5.0) -> int:
    """Kill all processes of a uid and reap those that are our children. Returns how many are left: 0 if all could be killed.

    If you need the exit status of the job's own child, read it first: this call discards it. If the zygote is not root, its
    children have the zygote's own uid. In that case all descendants of the zygote are killed, except the processes in `keep`
    and their descendants; `prepare_zygote` must have been called before. Raises ValueError for root.
    """
    if uid <= 0 or uid == _KILLER:
        raise ValueError(f"uid {uid} is not one that jobs may have")
    own = uid == os.getuid()
    deadline = time.monotonic() + deadline_s
    while left := (descendants(keep) if own else [each for each in all_running() if uid in each.uids]):
        if time.monotonic() > deadline:
            break
        if own or not _kill_at_once(uid):
            _kill_each(left)
        time.sleep(_PAUSE_S)
        _reap(left)
    return len(left)


def empty_directories(uid: int, directories: Sequence[str], *, deadline_s: float = 10.0) -> list[str]:
    """Remove everything inside `directories`, but not the directories themselves. Returns the paths that are left: an empty
    list if all could be removed.

    Call it after `kill_uid`, and only for directories that nothing but this cell uses. Root in a container lacks the capability
    DAC_OVERRIDE and cannot enter the job's private directories, so they are emptied with the job's own rights. Raises OSError
    if one of `directories` cannot be opened.
    """
    tops = [os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW) for path in directories]
    deadline = time.monotonic() + deadline_s

    def clear() -> None:
        for top in tops:
            _empty(top, deadline)

    try:
        clear()
        if uid != os.getuid() and any(os.listdir(top) for top in tops):
            _with_rights_of(uid, clear)
            clear()
        return [str(Path(path) / name) for path, top in zip(directories, tops, strict=True) for name in os.listdir(top)]
    finally:
        for top in tops:
            os.close(top)


def _kill_at_once(uid: int) -> bool:
    """Call kill(-1) in a helper process with this uid. That kills all processes in one step, so a fork bomb cannot outrun it.

    Returns False if the helper failed.
    """

    def strike() -> None:
        os.setresuid(_KILLER, uid, _KILLER)
        if os.getresuid() != (_KILLER, uid, _KILLER):
            raise PermissionError("kill(-1) with root's rights would end everything")
        os.kill(-1, signal.SIGKILL)

    return _in_helper(strike)


def _with_rights_of(uid: int, work: Callable[[], None]) -> None:
    """Run `work` with the file access of `uid`. The real and saved uid do not change, so the job cannot signal this process.

    Does not fork, which would take milliseconds in a zygote with torch. Does nothing if the process cannot change its uid.
    """
    signal_of_parent = kernel.parent_death_signal()
    try:
        os.seteuid(uid)
    except OSError:
        return
    try:
        work()
    finally:
        os.seteuid(os.getuid())
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal_of_parent)  # a change of uid clears the parent-death signal


def _in_helper(work: Callable[[], None]) -> bool:
    """Run `work` in a forked child, which always exits inside this function. Returns True if `work` finished."""
    try:
        pid = os.fork()
    except OSError:
        return False
    if pid:
        return os.waitpid(pid, 0)[1] == 0
    try:
        work()
        os._exit(0)
    except ProcessLookupError:
        os._exit(0)  # `work` sends a signal; if no process is left to receive the signal, `work` has nothing to do
    except BaseException:
        os._exit(1)


def _kill_each(processes: list[Process]) -> None:
    for each in processes:
        try:
            os.kill(each.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def _reap(processes: list[Process]) -> None:
    for each in processes:
        try:
            os.waitpid(each.pid, os.WNOHANG)
        except ChildProcessError:
            continue


def _empty(top: int, deadline: float) -> None:
    """Remove everything in the directory `top`. Inner directories are first moved up into `top` itself, so two open descriptors
    are enough, however deep the tree is.
    """
    prefix = os.urandom(8).hex()
    lifted = 0
    pending = os.listdir(top)
    while pending and time.monotonic() < deadline:
        name = pending.pop()
        if _remove(name, top):
            continue
        names = _lift(name, top, f"{prefix}{lifted}-", deadline)
        lifted += 1
        pending += names


def _lift(name: str, top: int, prefix: str, deadline: float) -> list[str]:
    """Move the directories inside `name` up into `top`, and remove everything else in `name`. Returns the new names of the
    moved directories.
    """
    lifted: list[str] = []
    try:
        os.chmod(name, 0o700, dir_fd=top)
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    except OSError:
        return lifted
    try:
        for entry in os.listdir(inner):
            if time.monotonic() > deadline:
                return lifted
            if not _remove(entry, inner) and _move_up(entry, inner, f"{prefix}{len(lifted)}", top):
                lifted.append(f"{prefix}{len(lifted)}")
    finally:
        os.close(inner)
    _remove(name, top)
    return lifted


def _move_up(entry: str, inner: int, name: str, top: int) -> bool:
    try:
        os.chmod(entry, 0o700, dir_fd=inner)  # moving a directory requires write permission for it
        os.rename(entry, name, src_dir_fd=inner, dst_dir_fd=top)
    except OSError:
        return False
    return True


def _remove(name: str, directory: int) -> bool:
    """Remove a file, a link (never its target) or an empty directory. Returns True if it is gone."""
    for attempt in (os.unlink, os.rmdir):
        try:
            attempt(name, dir_fd=directory)
        except FileNotFoundError:
            return True
        except OSError:
            continue
        return True
    return False
