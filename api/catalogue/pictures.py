"""Pictures of topics and challenges: drawings that their pages show."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from api.caching import NOT_MODIFIED, Has
from api.catalogue.service import ChallengeNotFound, TopicNotFound
from api.errors import ApiError, errors
from api.state import StateOf
from api.text import CleanText

router = APIRouter(tags=["catalogue"])
Name = Annotated[str, Path(max_length=100), CleanText]
# Opened by itself, a drawing may use its own styles and nothing else.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
SVG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}}


class PictureNotFound(ApiError):
    """Nothing of this name is drawn here."""

    status, code = 404, "picture_not_found"

    def __init__(self) -> None:
        super().__init__("There is no picture of that name here.")


@router.get(
    "/challenges/{slug}/pictures/{picture}",
    response_class=Response,
    responses={**SVG, **errors(ChallengeNotFound, PictureNotFound), **NOT_MODIFIED},
)
async def get_challenge_picture(slug: Name, picture: Name, state: StateOf, has: Has, response: Response) -> Response:
    """A drawing that a challenge's statement or editorial shows."""
    return _picture(state.shelf.catalogue.get(slug).package.pictures, picture, has, response)


@router.get(
    "/topics/{topic_id}/pictures/{picture}",
    response_class=Response,
    responses={**SVG, **errors(TopicNotFound, PictureNotFound), **NOT_MODIFIED},
)
async def get_topic_picture(topic_id: Name, picture: Name, state: StateOf, has: Has, response: Response) -> Response:
    """A drawing that a topic's page shows."""
    return _picture(state.shelf.catalogue.topic(topic_id).pictures, picture, has, response)


def _picture(pictures: Mapping[str, bytes], name: str, has: Has, response: Response) -> Response:
    content = pictures.get(name)
    if content is None:
        raise PictureNotFound()
    if same := has.has(content.decode()):
        return same
    headers = {name: response.headers[name] for name in ("ETag", "Cache-Control")}
    return Response(content, media_type="image/svg+xml", headers={**headers, "Content-Security-Policy": POLICY})
