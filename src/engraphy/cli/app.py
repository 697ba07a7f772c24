"""`engraphy`: one command per operation, and the few that are not operations.

Commands are loaded by dotted name when they are called, so that `engraphy recall` does not pay
for what it does not use.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from io import StringIO, TextIOWrapper
from typing import Any

import click

from engraphy.cli.sections import ELSEWHERE, NAMES, SECTIONS

_OWN = {
    "export": "engraphy.cli.files:export",
    "import": "engraphy.cli.files:import_",
    "restore": "engraphy.cli.files:restore",
    "migrate": "engraphy.cli.migrating:migrate",
    "cluster": "engraphy.cli.cluster:cluster",
    "capacity": "engraphy.cli.capacity:capacity",
    "doctor": "engraphy.cli.doctor:doctor",
    "encrypt": "engraphy.cli.encryption:encrypt",
    "decrypt": "engraphy.cli.encryption:decrypt",
    "rekey": "engraphy.cli.encryption:rekey",
    "profile": "engraphy.cli.profiles:profile",
    "demo": "engraphy.cli.demo:demo",
    "bench": "engraphy.cli.bench:bench",
    "tune": "engraphy.cli.tune:tune",
    "dream": "engraphy.cli.dreaming:dream",
    "schedule": "engraphy.cli.schedule:schedule",
    "mcp": "engraphy.cli.mcp:mcp",
    "serve": "engraphy.cli.serve:serve",
    "hook": "engraphy.cli.daemon:hook",
    "daemon": "engraphy.cli.daemon:daemon",
    "token": "engraphy.cli.tokens:token",
    "install": "engraphy.cli.agents:install",
    "uninstall": "engraphy.cli.agents:uninstall",
    "status": "engraphy.cli.agents:status",
    "project": "engraphy.cli.agents:project",
}
_BEHIND = "What a command takes stands behind its name: engraphy list --limit 3."
_COLUMN = 16
_WHOLE = 400
"""Characters of a sentence: no command's is as long, so that none is cut."""


class Lazy(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it
        """Every command, in the order a newcomer meets them."""
        return list(NAMES)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by section, each with the first sentence of its help, whole."""
        for title, names in SECTIONS.items():
            rows = [(name, _sentence(self.get_command(ctx, name))) for name in names]
            with formatter.section(title):
                formatter.write_dl(rows, col_max=_COLUMN)

    def main(self, *args: Any, **extra: Any) -> Any:
        """The whole run; what the system refuses (a full disk under the output) is told in a
        line."""
        try:
            return super().main(*args, **extra)
        except OSError as error:
            # What could not be written is not tried again at the end.
            sys.stdout = StringIO()
            about = "" if error.filename is None else f": {error.filename}"
            click.echo(f"Error: {error.strerror or error}{about}", err=True)
            sys.exit(1)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments as click reads them; of an unknown option, where options stand. Raises
        UsageError."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise click.UsageError(f"{error.format_message()} {_BEHIND}", ctx) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; of a name that is none, what may be meant is told."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise click.UsageError(_unknown(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click passes it
        cmd_name: str,
    ) -> click.Command | None:
        """The command of that name; None where there is none."""
        if cmd_name in _OWN:
            module, _, attribute = _OWN[cmd_name].partition(":")
            found: click.Command = getattr(import_module(module), attribute)
            return found
        if cmd_name not in NAMES:
            return None
        made: Callable[[str], click.Command] = import_module("engraphy.cli.commands").command
        return made(cmd_name)


def _sentence(command: click.Command | None) -> str:
    return "" if command is None else command.get_short_help_str(limit=_WHOLE)


def _near(name: str) -> list[str]:
    found: list[str] = import_module("difflib").get_close_matches(name, NAMES, n=2, cutoff=0.7)
    return found


def _unknown(name: str) -> str:
    near = [ELSEWHERE[name.lower()]] if name.lower() in ELSEWHERE else _near(name.lower())
    told = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"No such command {name!r}.{told} `engraphy --help` lists them all."


@click.group(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Options stand behind the command: engraphy list --db FILE. Most commands take --json. "
    "A hyphen (-) reads a text from standard input. Start with: engraphy demo",
)
@click.version_option(package_name="engraphy", prog_name="engraphy")
def main() -> None:
    """Long-term memory for AI agents: one SQLite file, local embeddings, no API key, no server."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a sign shows another in its place, and the command goes on.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
