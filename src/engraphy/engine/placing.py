"""One spelling of the paths of files, on the way in and when they are asked for (A-11)."""

import msgspec
from msgspec.structs import replace

from engraphy.engine import session_rows as rows
from engraphy.engine.parts import Engine
from engraphy.model import Listing, Scope, View
from engraphy.text.paths import is_absolute, normal_path
from engraphy.write.given import Given


def folder(engine: Engine, scope: Scope, now: int) -> str:
    """The project's folder: as a session told it, or a project that is named by its folder."""
    named = scope.project or ""
    return rows.root(engine, scope, now) or (named if is_absolute(named) else "")


def placed(engine: Engine, scope: Scope, wanted: Given) -> Given:
    """The caller's fields, with files inside the project relative to it."""
    named = {name: getattr(wanted, name) for name in ("files_read", "files_modified")}
    given = {name: files for name, files in named.items() if isinstance(files, list)}
    if not any(given.values()):
        return wanted
    root = folder(engine, scope, engine.clock())
    spelled = {name: [normal_path(one, root) for one in files] for name, files in given.items()}
    return msgspec.structs.replace(wanted, **spelled)


def sought(engine: Engine, view: View, listing: Listing) -> Listing:
    """The listing, with the file it asks for as such files are kept."""
    if listing.file is None:
        return listing
    root = folder(engine, view.scope, view.now)
    return replace(listing, file=normal_path(listing.file, root))
