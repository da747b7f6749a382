"""Provides the service with accounts of every role, and a request for every route. Each request can get new credentials, and
new objects if the request before may have changed the old ones.
"""

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx
from sqlalchemy import delete, select, update

from api.hiring.teams.models import Team, TeamMember
from api.identity.accounts.models import Account, AccountSession
from api.identity.sessions.credentials import create_token
from api.identity.sessions.origin import Origin
from api.identity.sign_in.service import open_session
from api.judging.rejudges.models import Rejudge
from api.judging.submissions.models import Judging
from api.kit.db.database import Table, now
from api.practice.cards.models import CardReview, CardState
from api.practice.discussions.models import Comment
from api.practice.feedback.models import Report
from api.practice.quizzes.models import QuizAttempt
from api.practice.running_interviews.models import Interview
from api.practice.sharing.models import SharedAnswer
from tests.api.hiring.review_requests import reviewed
from tests.api.hiring.rooms.room_requests import room_of
from tests.api.hiring.webhooks.webhooks_rig import connected
from tests.api.request_bodies import OF_ASSESSMENT, TAKING, TEAMS, body_of
from tests.api.running_service import Service

# Nothing listens at this URL.
ACME = {"id": "acme", "name": "Acme", "issuer": "http://127.0.0.1:9", "client_id": "a", "client_secret": "b"}
GENEROUS = {
    "unfinished_per_account": 1000,
    "submissions_per_minute": 1000,
    "submissions_per_challenge_a_day": 1000,
    "own_inputs_per_challenge_an_hour": 1000,
    "api_tokens": 1000,
    "sessions_per_account": 1000,
    "sign_in_failures_per_address": 1000,
    "sign_in_failures": 1000,
    "mails_per_address": 1000,
    "mails_per_network": 1000,
    "exports_per_hour": 1000,
    "oidc_providers": [ACME],
    # The interval in seconds at which rejudges are processed. It is so long that a rejudge without submissions is still open
    # when a request stops it.
    "poll_s": 600,
}
HERE = Origin("127.0.0.1", "127.0.0.1", "test")


@dataclass
class Stage:
    """The service with its accounts. The class creates the credentials and the objects that requests need."""

    service: Service
    accounts: dict[str, Account] = field(default_factory=dict)
    # The cookie and the Authorization header of each role. Code that may have changed them empties this dictionary, so that new
    # ones are created.
    credentials: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    async def set(cls, service: Service) -> "Stage":
        """Register the accounts owner, other and admin."""
        for person in (await service.person("owner"), await service.person("other"), await service.admin()):
            await person.http.aclose()
        stage = cls(service)
        async with service.state.db.read() as session:
            for account in await session.scalars(select(Account)):
                stage.accounts[account.email.partition("@")[0].replace("root", "admin")] = account
        return stage

    async def client(self, role: str) -> httpx.AsyncClient:
        """Return a client with the credentials of this role. Its cookies are its own: if they change, other clients are not
        affected.
        """
        if role not in self.credentials:
            self.credentials[role] = await self._credentials(role)
        cookie, authorization = self.credentials[role]
        client = self.service.client()
        if cookie:
            client.cookies["gradus_session"] = cookie
        if authorization:
            client.headers["Authorization"] = authorization
        return client

    async def _credentials(self, role: str) -> tuple[str, str]:
        """Create the credentials of this role. Return the value of its session cookie and its Authorization header. What the
        role does not have is an empty string.
        """
        if role == "anonymous":
            return "", ""
        if role in ("token", "revoked"):
            row, token = await create_token(self.service.state.db, self.accounts["owner"].id, "t", 1000)
            if role == "revoked":
                by_owner = await self.client("owner")
                assert (await by_owner.delete(f"/api/me/tokens/{row.id}")).status_code == 204
            return "", f"Bearer {token}"
        cookie = await self.session("owner" if role == "expired" else role)
        if role == "expired":
            await self._newest_session(expires_at=now() - timedelta(seconds=1))
        return cookie, ""

    async def session(self, name: str) -> str:
        """Open a session for an account. Return the value of its cookie."""
        async with self.service.state.db.write() as session:
            account = await session.get_one(Account, self.accounts[name].id)
            return await open_session(session, account, HERE, self.service.settings, replaces=None)

    async def _newest_session(self, **values: Any) -> str:
        async with self.service.state.db.write() as session:
            newest = select(AccountSession.id).order_by(AccountSession.id.desc()).limit(1)
            found: str = (await session.scalars(newest)).one()
            if values:
                await session.execute(update(AccountSession).where(AccountSession.id == found).values(**values))
        return found

    async def _forget(self, *tables: type[Table]) -> None:
        """Delete all rows of these tables, because they would affect the next request. For example, the service would continue
        an open attempt instead of starting one.
        """
        async with self.service.state.db.write() as session:
            for table in tables:
                await session.execute(delete(table))

    async def _shared(self, owner: httpx.AsyncClient) -> dict[str, str]:
        """Create an accepted answer that its owner has shared."""
        body = {"slug": "add-one", "kind": "submit", "source": secrets.token_hex(8)}
        identifier = (await owner.post("/api/submissions", json=body)).json()["id"]
        async with self.service.state.db.write() as session:
            await session.execute(delete(SharedAnswer))
            judged = update(Judging).where(Judging.submission_id == identifier)
            await session.execute(judged.values(status="judged", verdict="AC"))
        shared = await owner.put(f"/api/submissions/{identifier}/share", json={"listed": True})
        return {"submission_id": identifier, "shared_id": shared.json()["id"]}

    async def _comment(self) -> str:
        """Store a comment of the owner's. The owner has not solved the challenge, so it cannot be sent with a request."""
        identifier, owner = secrets.token_hex(16), self.accounts["owner"].id
        async with self.service.state.db.write() as session:
            session.add(Comment(id=identifier, slug="add-one", author_id=owner, text="Why?", created_at=now()))
        return identifier

    async def parameters(self, route: str) -> dict[str, str]:
        """Create the owner's objects that the route's path needs. Return the values of the path's parameters."""
        given = {"slug": "add-one", "topic_id": "adding", "track_id": "first-steps", "provider_id": "acme"}
        given["profile_id"] = self.accounts["owner"].id
        given["picture"], given["position"] = "curve.svg", "1"
        given["variant"], given["form"] = "one", "atom"
        given["pair_id"] = given["link_id"] = given["entry_id"] = given["measurement_id"] = secrets.token_hex(16)
        owner = await self.client("owner")
        if "share" in route:
            given |= await self._shared(owner)
        elif "{submission_id}" in route:
            body = {"slug": "add-one", "kind": "submit", "source": secrets.token_hex(8)}
            given["submission_id"] = (await owner.post("/api/submissions", json=body)).json()["id"]
            if route.endswith(("rejudge", "events")):
                await owner.post(f"/api/submissions/{given['submission_id']}/cancel")
        if any(part in route for part in ("attempt", "interview", "{slug}")):
            await self._forget(Interview, QuizAttempt)
        if "{attempt_id}" in route:
            given["attempt_id"] = (await owner.post("/api/topics/adding/attempts")).json()["id"]
        given.update(await self._revising(route, owner))
        given.update(await self._on_the_desk(route, owner))
        given.update(await self._in_a_team(route, owner))
        if "{session_id}" in route:
            await self.session("owner")
            given["session_id"] = await self._newest_session()
        if "{comment_id}" in route:
            given["comment_id"] = await self._comment()
        if "{token_id}" in route:
            given["token_id"] = (await owner.post("/api/me/tokens", json={"name": "t"})).json()["id"]
        return given

    async def _revising(self, route: str, owner: httpx.AsyncClient) -> dict[str, str]:
        """Create a running mock interview, or a card's grade that can be undone, if the route's path contains its id."""
        given = {}
        if "{interview_id}" in route:
            body = {"level": "junior", "minutes": 30}
            given["interview_id"] = (await owner.post("/api/interviews", json=body)).json()["id"]
        if "{review_id}" in route:
            await self._forget(CardState, CardReview)
            body = {"card": "adding:answer", "rating": "good", "version": 0}
            given["review_id"] = (await owner.post("/api/cards/reviews", json=body)).json()["id"]
        return given

    async def _on_the_desk(self, route: str, owner: httpx.AsyncClient) -> dict[str, str]:
        """Create the object that a route for admins needs: a report by the owner, a rejudge, or a new account."""
        given = {"name": "nowhere"}
        if "report" in route or "suggestion" in route:
            await self._forget(Report)
        if "rejudges" in route:
            await self._forget(Rejudge)
        if "{report_id}" in route:
            body = body_of("POST /api/reports")
            given["report_id"] = (await owner.post("/api/reports", json=body)).json()["id"]
        if "{rejudge_id}" in route:
            body = body_of("POST /api/admin/rejudges")
            admin = await self.client("admin")
            given["rejudge_id"] = (await admin.post("/api/admin/rejudges", json=body)).json()["id"]
        if "{account_id}" in route:
            body = body_of("POST /api/accounts")
            given["account_id"] = (await self.service.client().post("/api/accounts", json=body)).json()["id"]
        return given

    async def _in_a_team(self, route: str, owner: httpx.AsyncClient) -> dict[str, str]:
        """Create a team of the owner's, and those of its parts that the route's path contains, such as a member or an
        assessment.
        """
        given: dict[str, str] = {}
        if any(part in route for part in ("team", "{token}", "{room_id}")):
            await self._forget(Team)
        if "/tracking/" in route:
            return dict.fromkeys(("assessment_id", "invitation_id"), "0" * 32)
        if "{team_id}" not in route and "{token}" not in route:
            return await room_of(route, owner, "")
        path = "/api/teams"
        given["team_id"] = (await owner.post(path, json=TEAMS[f"POST {path}"])).json()["id"]
        for name in ("invitation", "challenge", "assessment"):
            path = f"/api/teams/{{team_id}}/{name}s"
            if f"{{{name}_id}}" in route or ("{token}" in route and name == "assessment"):
                answer = await owner.post(path.format(**given), json=TEAMS[f"POST {path}"])
                given[f"{name}_id"] = answer.json()["id"]
        if "{token}" in route or f"{OF_ASSESSMENT}/" in route:
            given.update(await self._taken(route, owner, given))
            given.update(await reviewed(route, owner, given))
        given.update(await room_of(route, owner, given["team_id"]))
        given.update(await connected(self.service, owner, route, given["team_id"]))
        if "{account_id}" in route:
            made = await self.service.client().post("/api/accounts", json=body_of("POST /api/accounts"))
            given["account_id"] = made.json()["id"]
            await self.seat(given["team_id"], given["account_id"], "reviewer")
        return given

    async def _taken(self, route: str, owner: httpx.AsyncClient, given: dict[str, str]) -> dict[str, str]:
        """Create an invitation to an open assessment if the route needs one, and a candidate who takes the assessment if the
        route's path contains a participation.
        """
        path = OF_ASSESSMENT.format(**given)
        if not any(part in route for part in ("{token}", "invitation", "participation")):
            return {}
        await owner.post(f"{path}/open")
        made = (await owner.post(f"{path}/invitations", json={"people": [{}]})).json()["items"][0]
        found = {"invitation_id": made["id"], "token": made["link"].rpartition("/")[2], "position": "1"}
        if "{participation_id}" in route:
            body = TAKING["POST /api/take/{token}/start"]
            started = await self.service.client().post(f"/api/take/{found['token']}/start", json=body)
            found["participation_id"] = started.json()["id"]
        return found

    async def seat(self, team_id: str, account_id: str, role: str) -> None:
        """Add an account to a team, or change its role there."""
        async with self.service.state.db.write() as session:
            await session.merge(TeamMember(team_id=team_id, account_id=account_id, role=role, joined_at=now()))


async def ask(client: httpx.AsyncClient, route: str, parameters: dict[str, str]) -> httpx.Response:
    """Send one request for a route."""
    method, _, path = route.partition(" ")
    return await client.request(method, path.format(**parameters), json=body_of(route))
