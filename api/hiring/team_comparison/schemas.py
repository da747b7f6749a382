"""Response bodies of comparisons over teams. Shares are between 0 and 1; times are in seconds."""

from pydantic import BaseModel


class ComparedGroup(BaseModel):
    """The candidates of all teams that share their results, who were given a challenge and opened it: their number, the number
    of these teams, and the median time that they worked on it.
    """

    people: int
    teams: int
    median_s: float


class ComparedItem(ComparedGroup):
    """The comparison of a candidate's result with those of all teams that share theirs. `better_than` is the share of these
    candidates who got fewer points from the tests.
    """

    position: int
    better_than: float


class ComparedItems(BaseModel):
    """The comparisons of a candidate's items. Only challenges of the catalogue are compared, and only if the own team shares its
    results and enough candidates of enough teams were given the challenge.
    """

    items: list[ComparedItem]
