"""Free space on the disks that this process writes to."""

import os
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import make_url

from api.settings import Settings

MIB = 1 << 20


class Disk(NamedTuple):
    """The file system that contains a folder of the service. `holds` says what the service stores in this folder: "data",
    "versions" (of challenges) or "database". `free` and `size` are in bytes. `free` is 0 if no further file can be created,
    because no inodes are left.
    """

    holds: str
    folder: Path
    free: int
    size: int


def disks(settings: Settings) -> list[Disk]:
    """Return the file systems of the data folder, of the stored challenge versions and, if used, of the SQLite database.
    PostgreSQL's own disk is not included. Raises `OSError`.
    """
    folders = {"data": settings.data_dir.absolute(), "versions": settings.kept}
    database = make_url(settings.database)
    if database.get_backend_name() == "sqlite" and database.database:
        folders["database"] = Path(database.database).absolute().parent
    return [_disk(holds, folder) for holds, folder in folders.items()]


def full(settings: Settings) -> list[str]:
    """Return one sentence for each disk with less free space than the setting `disk_full_mb`. Raises `OSError`."""
    found: dict[int, str] = {}
    for disk in disks(settings):
        if disk.free < settings.disk_full_mb * MIB:
            # Several folders on one disk are reported once.
            found.setdefault(
                os.stat(_there(disk.folder)).st_dev,
                f"The disk with {disk.folder} is full: {disk.free // MIB} MiB of {disk.size // MIB} MiB are left.",
            )
    return list(found.values())


def _disk(holds: str, folder: Path) -> Disk:
    stats = os.statvfs(_there(folder))
    free = 0 if stats.f_files and not stats.f_favail else stats.f_bavail * stats.f_frsize
    return Disk(holds, folder, free, stats.f_blocks * stats.f_frsize)


def _there(folder: Path) -> Path:
    """Return the folder or, if it does not exist yet, its nearest existing parent, which is on the same disk."""
    return next(each for each in (folder, *folder.parents) if each.exists())
