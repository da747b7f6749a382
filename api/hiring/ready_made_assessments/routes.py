"""The route for ready-made assessments."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends

from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.ready_made_assessments import assessment_files
from api.hiring.ready_made_assessments.schemas import ReadyMadeList, ready_made_view
from api.hiring.ready_made_assessments.solve_times import SolveTimes
from api.hiring.teams.membership import AsAuthor, RoleTooLow, TeamNotFound
from api.kit.errors import NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.provided import provided

router = APIRouter(tags=["assessments"], route_class=JsonRoute)
SolveTimesDep = Annotated[SolveTimes, Depends(provided(SolveTimes))]


@router.get("/teams/{team_id}/ready-made-assessments", responses=errors(NotSignedIn, TeamNotFound, RoleTooLow))
async def list_ready_made_assessments(
    _: AsAuthor, settings: SettingsDep, db: DatabaseDep, store: CatalogueStoreDep, solve_times: SolveTimesDep
) -> ReadyMadeList:
    """List the ready-made assessments whose challenges and quizzes this site has. Their time limits come from the times that
    candidates of all teams took, once at least five have solved an item.
    """
    catalogue, times = store.catalogue, await solve_times.read(db)
    found = await asyncio.to_thread(assessment_files.read_all, settings.challenges_dir)
    whole = [each for each in found if not assessment_files.missing(each, catalogue)]
    return ReadyMadeList(items=[ready_made_view(each, catalogue, times) for each in whole])
