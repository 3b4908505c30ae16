"""The files of a SQLite database: kept private, copied whole, recognised by inode."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700

BESIDE = ("-wal", "-shm", "-journal")
"""The files SQLite keeps beside a database, as suffixes; a copy without the first loses the newest changes."""


def make_private(path: Path) -> None:
    """Make sure that only their owner can read the database and the files beside it; creates its folder.

    The file is created before SQLite does so, since what SQLite puts beside it gets the same permissions. A folder that
    holds other things too is left as it is. Raises OSError.
    """
    folder = path.parent
    if not folder.exists():
        make_folder(folder)
    elif all(file.name.startswith(path.name) for file in folder.iterdir()):
        _restrict(folder)
    os.close(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE))
    leave_to_owner(path)
    for ending in ("", *BESIDE):
        _restrict(path.with_name(path.name + ending))


def _restrict(path: Path) -> None:
    """Remove other users' permissions, where we are allowed to."""
    try:
        mode = path.stat().st_mode
        if mode & 0o077:
            path.chmod(mode & 0o700)
    except (FileNotFoundError, PermissionError):
        pass


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, for their owner only. Raises OSError."""
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    for part in reversed(missing):
        leave_to_owner(part)


def leave_to_owner(path: Path) -> None:
    """Give what root has made to the owner of its folder, who runs the bot; SQLite does so with its log."""
    with suppress(OSError):
        owner = path.parent.stat()
        if os.geteuid() == 0 != owner.st_uid and path.lstat().st_uid == 0:
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def copy_file(source: Path, target: Path) -> None:
    """Copy a database with everything ever committed, as of one moment, while others may keep writing.

    The copy is one file that only its owner can read; nothing appears under the name of `target` before it is complete
    and on the disk. Raises FileExistsError, other OSErrors and sqlite3.Error.
    """
    if target.exists():
        raise FileExistsError(target)
    part = target.with_name(target.name + ".part")
    try:
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE_FILE))
        leave_to_owner(part)
        with (
            closing(sqlite3.connect(f"file:{quote_path(source)}?mode=rw", uri=True)) as old,
            closing(sqlite3.connect(part)) as new,
        ):
            # All pages in one step: as of one moment, and without starting over when another connection writes.
            old.backup(new, pages=-1)
            new.execute("PRAGMA journal_mode = DELETE")
        sync(part)
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)
        part.with_name(part.name + "-journal").unlink(missing_ok=True)
    sync(target.parent)


def is_on_read_only_drive(path: Path) -> bool:
    """Return True if the file system that has this file takes no more changes, as a failing disk's does."""
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def rescue(source: Path, folder: Path) -> Path:
    """Copy a database that nothing can write to, with the log beside it, into a folder; returns the copy.

    SQLite cannot open one with a log on a drive that is read-only. Raises OSError.
    """
    target = folder / "rescued.db"
    for ending in ("", "-wal", "-journal"):
        if (file := source.with_name(source.name + ending)).exists():
            shutil.copyfile(file, target.with_name(target.name + ending))
    return target


def sync(path: Path) -> None:
    """Have a file, or a folder's list of files, written to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def quote_path(path: Path) -> str:
    """Return a path as it is written in the address of a SQLite file."""
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file, None if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
