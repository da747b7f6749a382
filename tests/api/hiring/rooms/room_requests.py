"""Provides valid request bodies for the routes of live interviews, and creates the rooms to which their paths refer."""

from typing import Any

import httpx

OF_TEAM, OF_ROOM = "/api/teams/{team_id}/rooms", "/api/rooms/{room_id}"
ROOMS: dict[str, dict[str, Any]] = {
    f"POST {OF_TEAM}": {"title": "Second round", "challenges": ["add-one"]},
    "POST /api/room-links/read": {"token": "room_wrong"},
    "POST /api/room-links/enter": {"token": "room_wrong", "name": "Eve"},
    f"POST {OF_ROOM}/challenge": {"name": "add-one"},
    f"PUT {OF_ROOM}/extension": {"text": "Now for a batch."},
    f"PUT {OF_ROOM}/timer": {"seconds": 600},
    f"POST {OF_ROOM}/submissions": {"kind": "run"},
    f"POST {OF_ROOM}/notes": {"text": "Asks good questions."},
    f"PUT {OF_ROOM}/scores/{{criterion}}": {"level": 3},
}


async def room_of(route: str, owner: httpx.AsyncClient, team_id: str) -> dict[str, str]:
    """Create the room and the note that the route's path contains, if any. The room shows a challenge."""
    if "{room_id}" not in route:
        return {}
    found = {"team_id": team_id, "criterion": "0"}
    if not team_id:
        found["team_id"] = (await owner.post("/api/teams", json={"name": "Hiring"})).json()["id"]
    made = await owner.post(OF_TEAM.format(**found), json=ROOMS[f"POST {OF_TEAM}"])
    found["room_id"] = made.json()["room_id"]
    await owner.post(f"{OF_ROOM}/challenge".format(**found), json=ROOMS[f"POST {OF_ROOM}/challenge"])
    if "{note_id}" in route:
        noted = await owner.post(f"{OF_ROOM}/notes".format(**found), json=ROOMS[f"POST {OF_ROOM}/notes"])
        found["note_id"] = noted.json()["notes"][0]["id"]
    return found
