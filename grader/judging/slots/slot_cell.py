"""Decides which jobs may use a slot's cell, and when the cell is replaced."""

from grader.contract.job import Job, Policy
from grader.judging.pool.cells import Cell
from grader.judging.pool.spare_cells import SpareCells


class SlotCell:
    """The cell of one slot. `current` is None if the slot has no cell. A cell is retired (ended in the background) after
    `max_uses` jobs.
    """

    def __init__(self, spares: SpareCells, max_uses: int) -> None:
        self._spares = spares
        self._max_uses = max_uses
        self.current: Cell | None = None

    def take(self, job: Job) -> Cell:
        """Return the current cell if this job may use it, otherwise a fresh cell. Raises Unavailable."""
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
        """Return whether the cell must be retired after this job. This is the case if the cell has served `max_uses` jobs, if
        the job's policy is `submission`, or if the job left something behind.
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
    """Return whether the job may use the cell, which depends on the job's policy. A `shared` job may use cells that are bound
    to no account. An `account` job may use fresh cells and cells of the same account. A `submission` job may use fresh cells
    only.
    """
    if job.policy is Policy.SUBMISSION:
        return cell.uses == 0
    if job.policy is Policy.ACCOUNT:
        return cell.uses == 0 or cell.owner == job.owner
    return cell.owner is None
