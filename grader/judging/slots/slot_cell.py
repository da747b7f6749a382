"""Decides which jobs may use a slot's cell, and when the cell is replaced."""

from grader.contract.job import Job, Policy
from grader.judging.pool.cells import Cell
from grader.judging.pool.spare_cells import SpareCells


class SlotCell:
    """`current` is the slot's cell, or None. A cell is retired after `max_uses` jobs."""

    def __init__(self, spares: SpareCells, max_uses: int) -> None:
        self._spares = spares
        self._max_uses = max_uses
        self.current: Cell | None = None

    def take(self, job: Job) -> Cell:
        """The current cell if this job may use it, otherwise a fresh one. Raises Unavailable."""
        cell = self.current
        if cell is not None and not (_may_use(cell, job) and cell.host.alive()):
            self.drop()
            cell = None
        if cell is None:
            cell = self._spares.take()
            self.current = cell
        cell.uses += 1
        if job.policy is not Policy.SHARED:
            cell.owner = job.owner
        return cell

    def used_up_by(self, job: Job) -> bool:
        """Whether the cell must be retired after this job: it has served `max_uses` jobs, the job's policy is `submission`, or
        the job left something behind.
        """
        assert self.current is not None
        worn = self.current.uses >= self._max_uses or job.policy is Policy.SUBMISSION
        return worn or bool(self.current.findings)

    def drop(self) -> None:
        """End the current cell in the background."""
        if self.current is not None:
            cell, self.current = self.current, None
            self._spares.retire(cell)


def _may_use(cell: Cell, job: Job) -> bool:
    """Jobs of policy `shared` may use cells that are bound to no account, `account` jobs fresh cells and cells of the same
    owner, `submission` jobs only fresh cells.
    """
    if job.policy is Policy.SUBMISSION:
        return cell.uses == 0
    if job.policy is Policy.ACCOUNT:
        return cell.uses == 0 or cell.owner == job.owner
    return cell.owner is None
