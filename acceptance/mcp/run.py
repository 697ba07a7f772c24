"""The MCP server against what others made to try servers. Prints a line per check; 1 on failure."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from common import PATIENCE, TOOLSETS, over_http, program, run, server
from reference import compared
from several import orphans, written_together

_HERE = Path(__file__).parent
_REVISIONS = ("2025-11-25", "2026-07-28")
_CALLS, _AT_ONCE = 200, 4
_SLOW = ("--connect-timeout", "120000")


def conformance(home: Path) -> list[str]:
    """Every scenario that needs no fixture of the suite's passes, at both revisions; what is
    expected to fail stands in expected-REVISION.yml, and fails."""
    wrong = []
    with over_http("default", home) as url:
        for revision in _REVISIONS:
            expected = str(_HERE / f"expected-{revision}.yml")
            words = ["server", "--url", url, "--requirements", revision]
            done = run([*program("conformance"), *words, "--expected-failures", expected], home)
            said = done.stdout + done.stderr
            kept = [line for line in said.splitlines() if line.startswith(("✓", "✗", "Total"))]
            print("\n".join(f"    {line}" for line in kept))
            if done.returncode:
                wrong.append(f"conformance {revision}:\n{said[-3000:]}")
    return wrong


def lint(home: Path) -> list[str]:
    """The inspector finds nothing in the schemas of any toolset."""
    wrong = []
    for toolset in TOOLSETS:
        words = ["--cli", "--strict", "--method", "tools/list", *_SLOW, *server(toolset)]
        done = run([*program("mcp-inspector"), *words], home)
        if done.returncode or done.stderr.strip():
            wrong.append(f"lint {toolset}: {done.returncode} {done.stderr[-2000:]}")
        else:
            print(f"    {toolset}: {len(json.loads(done.stdout)['tools'])} tools")
    return wrong


def load(home: Path) -> list[str]:
    """200 calls, 4 at a time, without an error."""
    with over_http("default", home) as url:
        words = ["--cli", "--server-url", url, "--method", "tools/call", "--tool-name", "recall"]
        many = ["--load", "--load-requests", str(_CALLS), "--load-concurrency", str(_AT_ONCE)]
        told = ["--tool-arg", "query=which database do we use for billing"]
        done = run([*program("mcp-inspector"), *words, *told, *many, *_SLOW], home)
    print("\n".join(f"    {line}" for line in done.stdout.splitlines()))
    told_of = json.loads(done.stdout) if done.stdout.strip().startswith("{") else {}
    whole = told_of.get("ok") == _CALLS and not told_of.get("toolErrors")
    return [] if whole and not done.returncode else [f"load: {done.returncode} {done.stderr}"]


def reference(home: Path) -> list[str]:
    """The nine tools answer as the reference memory server does, whatever is called in whatever
    order."""
    return compared(home, sequences=6, calls=40)


def several(home: Path) -> list[str]:
    """Four servers write to one store at once; servers whose clients are killed end."""
    return [*written_together(home, servers=4, calls=25), *orphans(home, clients=5)]


def main() -> int:
    """The checks, or those that are named."""
    checks: tuple[Callable[[Path], list[str]], ...] = (
        conformance,
        lint,
        load,
        reference,
        several,
    )
    wanted = sys.argv[1:]
    wrong = []
    for check in checks:
        if wanted and check.__name__ not in wanted:
            continue
        print(f"{check.__name__}: {' '.join((check.__doc__ or '').split())}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = check(Path(folder))
            except subprocess.TimeoutExpired:
                found = [f"{check.__name__} took longer than {PATIENCE} s"]
        print(f"  {'FAIL' if found else 'ok'}", flush=True)
        wrong += found
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
