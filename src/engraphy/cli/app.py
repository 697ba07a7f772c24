"""`engraphy`: one command per operation, and the few that are not operations.

Commands are loaded by dotted name when they are called, so that `engraphy recall` does not pay
for what it does not use.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from io import TextIOWrapper

import click

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
}
_ORDER = [
    "demo",
    "remember",
    "observe",
    "recall",
    "context",
    "inject",
    "receipts",
    "get",
    "list",
    "timeline",
    "timeline-of",
    "reminders",
    "update",
    "pin",
    "forget",
    "forget-user",
    "delete",
    "purge-expired",
    "prune",
    "undo",
    "history",
    "audit",
    "journal",
    "snapshot",
    "diff",
    "summarize-old",
    "review",
    "accept",
    "reject",
    "publish",
    "unpublish",
    "publications",
    "offers",
    "subscribe",
    "unsubscribe",
    "subscriptions",
    "fetch",
    "link",
    "links",
    "entity",
    "graph",
    "episode",
    "procedure",
    "steps",
    "outcome",
    "report",
    "scoped",
    "session-start",
    "tool",
    "checkpoint",
    "session-end",
    "session",
    "sessions",
    "working",
    "fact",
    "facts",
    "delete-fact",
    "stats",
    "jobs",
    "retry-job",
    "drop-job",
    "cost",
    "explain",
    "explain-context",
    "why-not",
    "dream",
    "dreams",
    "compact",
    "schedule",
    "mcp",
    "serve",
    "daemon",
    "token",
    "hook",
    "install",
    "uninstall",
    "status",
    "doctor",
    "capabilities",
    "export",
    "import",
    "backup",
    "restore",
    "migrate",
    "reembed",
    "cluster",
    "capacity",
    "encrypt",
    "decrypt",
    "rekey",
    "profile",
    "tune",
    "bench",
]


class Lazy(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it
        """Every command, in the order a newcomer meets them."""
        return _ORDER

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
        if cmd_name not in _ORDER:
            return None
        made: Callable[[str], click.Command] = import_module("engraphy.cli.commands").command
        return made(cmd_name)


@click.group(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Every command takes --json. Start with: engraphy demo",
)
@click.version_option(package_name="engraphy", prog_name="engraphy")
def main() -> None:
    """Long-term memory for AI agents: one SQLite file, local embeddings, no key, no server."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a sign shows another in its place, and the command goes on.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
