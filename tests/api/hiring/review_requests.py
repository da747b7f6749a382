"""Provides valid request bodies for the routes for reviews, and creates the objects to which the paths of these routes refer."""

from typing import Any

import httpx

OF_ASSESSMENT = "/api/teams/{team_id}/assessments/{assessment_id}"
OF_PERSON = f"{OF_ASSESSMENT}/participations/{{participation_id}}"
CRITERION = {"title": "Clarity", "description": "Can it be read?", "levels": 4}
REVIEWS: dict[str, dict[str, Any]] = {
    f"PUT {OF_ASSESSMENT}/rubric": {"version": "0", "criteria": [CRITERION]},
    f"PUT {OF_PERSON}/scores/{{criterion_id}}": {"level": 3},
    f"POST {OF_PERSON}/items/{{position}}/points": {"mode": "add", "points": 1.5, "reason": "Close.", "seen": None},
    f"POST {OF_PERSON}/decisions": {"decision": "advance", "reason": "", "seen": None},
    f"POST {OF_PERSON}/notes": {"text": "Ask about numerics."},
    f"PUT {OF_PERSON}/notes/{{note_id}}": {"text": "Ask about masks."},
}


async def reviewed(route: str, owner: httpx.AsyncClient, given: dict[str, str]) -> dict[str, str]:
    """Create the criterion or the note whose id the route's path contains, if any. Return the created ids by the name of their
    path parameter.
    """
    found = {}
    if "{criterion_id}" in route:
        path = f"{OF_ASSESSMENT}/rubric"
        saved = await owner.put(path.format(**given), json=REVIEWS[f"PUT {path}"])
        found["criterion_id"] = saved.json()["criteria"][0]["id"]
    if "{note_id}" in route:
        path = f"{OF_PERSON}/notes"
        found["note_id"] = (await owner.post(path.format(**given), json=REVIEWS[f"POST {path}"])).json()["id"]
    return found
