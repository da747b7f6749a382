"""Routes that serve the SVG pictures of topics and challenges."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from api.content.catalogue.catalogue import ChallengeNotFound, TopicNotFound
from api.content.catalogue.service import CatalogueStoreDep
from api.kit.errors import ApiError, errors
from api.kit.http.caching import NOT_MODIFIED, Has
from api.kit.text import CleanText

router = APIRouter(tags=["catalogue"])
Name = Annotated[str, Path(max_length=100), CleanText]
# Content security policy of a picture, for browsers that open it on its own: it may use its own styles and nothing else.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
SVG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}}


class PictureNotFound(ApiError):
    """The topic or challenge has no picture of this name."""

    status, code = 404, "picture_not_found"

    def __init__(self) -> None:
        super().__init__("There is no picture of that name here.")


@router.get(
    "/challenges/{slug}/pictures/{picture}",
    response_class=Response,
    responses={**SVG, **errors(ChallengeNotFound, PictureNotFound), **NOT_MODIFIED},
)
async def get_challenge_picture(
    slug: Name, picture: Name, store: CatalogueStoreDep, has: Has, response: Response
) -> Response:
    """A picture from a challenge's statement or editorial. No sign-in is required. Challenges that are used only in
    assessments are included, because candidates need their pictures too.
    """
    catalogue = store.catalogue
    challenge = catalogue.known(slug) or catalogue.get(slug)
    return _picture(challenge.package.pictures, picture, has, response)


@router.get(
    "/topics/{topic_id}/pictures/{picture}",
    response_class=Response,
    responses={**SVG, **errors(TopicNotFound, PictureNotFound), **NOT_MODIFIED},
)
async def get_topic_picture(
    topic_id: Name, picture: Name, store: CatalogueStoreDep, has: Has, response: Response
) -> Response:
    """A picture from a topic's page."""
    return _picture(store.catalogue.topic(topic_id).pictures, picture, has, response)


def _picture(pictures: Mapping[str, bytes], name: str, has: Has, response: Response) -> Response:
    content = pictures.get(name)
    if content is None:
        raise PictureNotFound()
    if same := has.has(content.decode()):
        return same
    headers = {name: response.headers[name] for name in ("ETag", "Cache-Control")}
    return Response(content, media_type="image/svg+xml", headers={**headers, "Content-Security-Policy": POLICY})
