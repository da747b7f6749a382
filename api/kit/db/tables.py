"""Lists every table of the service, including those whose modules this process has not imported yet. Programs that work on
the whole database need all tables, but only the complete service imports all modules.
"""

import functools
import importlib
import pkgutil

from sqlalchemy.schema import Table as SqlTable

from api.kit.db.database import Table


@functools.cache
def tables() -> list[SqlTable]:
    """Return all tables, each after the tables that it refers to."""
    whole = __name__.partition(".")[0]
    for found in pkgutil.walk_packages(importlib.import_module(whole).__path__, f"{whole}."):
        if found.name.endswith(".models"):
            importlib.import_module(found.name)
    return Table.metadata.sorted_tables
