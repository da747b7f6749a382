"""Lists every table of the service. SQLAlchemy knows a table only after its module was imported, and only the service itself
imports all modules. Use this list in code that works on the whole database: it imports the missing modules first.
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
