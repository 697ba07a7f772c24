"""Transcripts as the real clients write them, imported: once, and undone. Run by
`make acceptance`."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import claude_code
import codex
import gemini
from common import Client, LASTING, Run, TOLD
from fake_model import FakeModel, Step

from engraphy.project import project_of

ANSWER = "Done: the billing service runs PostgreSQL 16 on port 5432 since 2026-11-28."
CLIENTS = (
    (claude_code.CLIENT, ".claude/projects"),
    (codex.CLIENT, ".codex/sessions"),
    (gemini.CLIENT, ".gemini/tmp"),
)


def checked(client: Client, place: str) -> int:
    """One session without memory, then its transcript. The number of faults."""
    folder = Path(tempfile.mkdtemp(prefix=f"transcript-{client.agent}-"))
    print(f"{client.agent}, its transcript", flush=True)
    with FakeModel() as model:
        run = Run(client, model, folder)
        try:
            client.prepare(run.home, model.url)
            run.session(TOLD, client.write(run.project), Step(text=ANSWER))
            _imported(run, str(run.home / place))
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            run.expect(False, f"{type(error).__name__}: {error}")
    if not run.wrong:
        shutil.rmtree(folder, ignore_errors=True)
    return len(run.wrong)


def _imported(run: Run, place: str) -> None:
    words = ("import", place, "--from", "auto", "--json")
    shown = json.loads(run.engraphy(*words, "--dry-run"))
    run.expect(shown["source"] == run.client.agent, f"it is recognised: {shown['source']}")
    done = json.loads(run.engraphy(*words))
    run.expect(done["memories"] == shown["memories"] == 2, "what was said comes in, as was shown")
    run.expect(not done["broken"], "no line is broken")
    key = project_of(run.project) or ""
    found = json.loads(run.engraphy("list", "--project", key, "--json"))["memories"]
    said = {row["origin"]: row["content"] for row in found}
    run.expect(
        said == {"user": LASTING, "agent": ANSWER},
        "in its project, without the errand, and nothing else",
    )
    again = json.loads(run.engraphy(*words))
    run.expect(again["memories"] == 0 and not again["run"], "a second time nothing")
    run.engraphy("undo", "--last", "import")
    left = json.loads(run.engraphy("list", "--project", key, "--json"))["memories"]
    run.expect(left == [], "undone, nothing is left")


if __name__ == "__main__":
    raise SystemExit(sum(checked(client, place) for client, place in CLIENTS))
