"""Puts the package of a team's own challenge into the catalogue store, from which assessments and nodes get it."""

import structlog
from msgspec.structs import replace

from api.content.catalogue.service import CatalogueStore, challenge_of
from api.hiring.team_catalogue.service import name_of
from grader.content.authoring import author_files
from grader.contract.errors import PackageError

log = structlog.get_logger()


def store_package(store: CatalogueStore, team_id: str, slug: str, files: dict[str, str]) -> str:
    """Store the package that these files make, and return its digest. `files` must include tests.lock. Returns "" if the files
    cannot be read.
    """
    try:
        package = replace(author_files.loaded(slug, files), slug=name_of(slug))
        challenge_of(package)
    except (PackageError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        log.error("own_challenge_unreadable", team=team_id, challenge=slug, reason=str(error)[:300])
        return ""
    store.kept.keep(package, team_id)
    return package.digest
