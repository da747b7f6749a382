"""Provides a valid body for each route that takes one."""

import secrets
from typing import Any

from api.hiring.plans.plan import EXAMPLE
from tests.api.hiring.review_requests import REVIEWS
from tests.api.hiring.rooms.room_requests import ROOMS
from tests.api.hiring.webhooks.webhooks_rig import CONNECTIONS

PASSWORD = "ten characters"
DESK: dict[str, dict[str, Any]] = {
    "POST /api/reports": {"about": "challenge", "target": "add-one", "kind": "typo", "words": "It says wto, not two."},
    "POST /api/suggestions": {"title": "Adding in place", "tests": "That nothing is copied."},
    "POST /api/admin/reports/{report_id}/answer": {"state": "fixed"},
    "PUT /api/admin/comments/{comment_id}/hidden": {"hidden": True},
    "PUT /api/admin/shared/{shared_id}/hidden": {"hidden": True},
    "PUT /api/admin/measurements/{measurement_id}/review": {"decision": "accept"},
    "PUT /api/admin/accounts/{account_id}/role": {"role": "admin"},
    "PUT /api/admin/accounts/{account_id}/ban": {"reason": "A test of the door."},
    "POST /api/admin/rejudges": {"slug": "add-one"},
}
OF_ASSESSMENT = "/api/teams/{team_id}/assessments/{assessment_id}"
TAKING: dict[str, dict[str, Any]] = {
    f"POST {OF_ASSESSMENT}/invitations": {"people": [{}]},
    f"PUT {OF_ASSESSMENT}/invitations/{{invitation_id}}/extra-time": {"extra_minutes": 5},
    f"PUT {OF_ASSESSMENT}/participations/{{participation_id}}/extra-time": {"minutes": 5},
    f"POST {OF_ASSESSMENT}/outages": {"begins_at": "2026-01-02T09:00:00Z", "ends_at": "2026-01-02T09:05:00Z"},
    "POST /api/take/{token}/start": {"name": "Eve", "honour": True},
    "PUT /api/participation/items/{position}/draft": {"source": "x = 1", "sequence": 1, "edits": [], "signals": []},
    "PUT /api/participation/items/{position}/marked-lines": {"digest": "0" * 64, "lines": [[1, 1]]},
    "POST /api/participation/items/{position}/submissions": {"source": "x = 1", "kind": "submit", "device": "cpu"},
    "POST /api/participation/items/{position}/scratch": {"source": "x = 1", "snippet": "print(x)", "device": "cpu"},
    "POST /api/participation/items/{position}/signals": {"signals": [{"kind": "blur"}]},
    "POST /api/participation/items/{position}/assistant": {"question": "Why?", "source": "x = 1"},
    f"POST {OF_ASSESSMENT}/participations/{{participation_id}}/report-links": {"days": 7},
    "PUT /api/participation/feedback": {"rating": 4, "difficulty": "right", "comment": ""},
    "PUT /api/participation/assistant-declaration": {"text": "It explained broadcasting."},
    "POST /api/participation/items/{position}/answers": {"question": "how-much", "answer": 2},
}
TEAMS: dict[str, dict[str, Any]] = {
    "POST /api/teams": {"name": "Hiring"},
    "PUT /api/teams/{team_id}": {"name": "Hiring"},
    "PUT /api/teams/{team_id}/candidate-mail": {"message": "Thank you for applying."},
    "POST /api/teams/{team_id}/candidate-mail/preview": {"message": "Thank you for applying."},
    "PUT /api/teams/{team_id}/leaderboard/me": {"on_board": True},
    "PUT /api/teams/{team_id}/result-sharing": {"shares_results": True},
    "PUT /api/teams/{team_id}/members/{account_id}": {"role": "author"},
    "POST /api/teams/{team_id}/invitations": {"email": "new@example.org", "role": "reviewer"},
    "POST /api/team-invitations/read": {"token": "team_wrong"},
    "POST /api/team-invitations/accept": {"token": "team_wrong"},
    "POST /api/teams/{team_id}/challenges": {"slug": "masked-mean"},
    "PUT /api/teams/{team_id}/challenges/{challenge_id}/files": {"version": 1, "files": {"starter.py": "x = 1\n"}},
    "POST /api/teams/{team_id}/challenges/{challenge_id}/rejudges": {"assessments": ["0" * 32]},
    "POST /api/teams/{team_id}/assessments": {"name": "First round", "plan": EXAMPLE},
    "PUT /api/teams/{team_id}/assessments/{assessment_id}": {"name": "Second round"},
    "PUT /api/teams/{team_id}/assessments/{assessment_id}/plan": {"version": 1, "plan": EXAMPLE},
}


def body_of(route: str) -> dict[str, Any] | None:
    """Return a body for the route that is valid for every role, or None if the route takes no body."""
    source = {"slug": "add-one", "source": secrets.token_hex(8)}
    person = {"email": f"{secrets.token_hex(8)}@example.org", "name": "New", "password": PASSWORD}
    bodies: dict[str, dict[str, Any]] = {
        "POST /api/attempts/{attempt_id}/answers": {"question": "how-much", "answer": 2},
        "PUT /api/me/notes/{slug}": {"text": "Mask before the softmax."},
        "PUT /api/drafts/{slug}": {"source": "x = 1", "version": 0},
        "POST /api/challenges/{slug}/hints": {"count": 1},
        "PUT /api/submissions/{submission_id}/share": {"listed": True},
        "POST /api/challenges/{slug}/comments": {"text": "Why divide by the square root?"},
        "PUT /api/comments/{comment_id}": {"text": "Why divide by the square root of d?"},
        "POST /api/cards/reviews": {"card": "adding:answer", "rating": "good", "version": 0},
        "PUT /api/cards/suspended": {"card": "adding:answer", "suspended": True},
        "PUT /api/cards/settings": {"new_per_day": 5},
        "POST /api/interviews": {"level": "junior", "minutes": 30},
        "POST /api/submissions": {**source, "kind": "submit"},
        "POST /api/scratch": {**source, "snippet": "print(1)"},
        "POST /api/challenges/{slug}/own-inputs": {"source": source["source"], "input": "add_one(2)"},
        "POST /api/accounts": person,
        "POST /api/accounts/confirm": {"token": "new_wrong", "password": PASSWORD},
        "POST /api/email/confirm": {"token": "verify_wrong"},
        "POST /api/password/forgotten": {"email": "owner@example.org"},
        "POST /api/password/reset": {"token": "reset_wrong", "password": PASSWORD},
        "POST /api/me/email": {"email": "new@example.org", "password": PASSWORD},
        "POST /api/providers/{provider_id}/start": {"back": "/"},
        "DELETE /api/me": {"password": "not this one"},
        "POST /api/setup": {**person, "token": "setup_wrong"},
        "POST /api/session": {"email": "owner@example.org", "password": PASSWORD},
        "POST /api/me/tokens": {"name": "new"},
        "PUT /api/me/listing": {"listed": True, "name": "Somebody"},
        "POST /api/me/password": {"current": PASSWORD, "password": PASSWORD},
    }
    rooms = (bodies, DESK, TEAMS, TAKING, REVIEWS, ROOMS, CONNECTIONS)
    return next((room[route] for room in rooms if route in room), None)
