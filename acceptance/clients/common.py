"""What the runs of real clients share: a home and a project of their own, two sessions, the checks.

A client is installed from npm into a folder (ENGRAPHY_ACCEPTANCE, else a folder of the system's
for temporary files); everything else happens on loopback, against the model of `fake_model.py`.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fake_model import FakeModel, Step, texts

from engraphy.project import project_of

LASTING = (
    "I prefer tabs over spaces in Makefiles. We decided to use PostgreSQL for the billing "
    "service because we need row locks."
)
TOLD = f"{LASTING} Please add a greeting to notes.txt."
ASKED = "Which database did we decide to use for the billing service?"
CANARY = "The code word of the other project is heron"
ENGRAPHY = str(Path(sys.executable).with_name("engraphy"))
PATIENCE = 60.0


@dataclass
class Client:
    """How one client is run: its name for `engraphy install`, its package on npm, its program,
    the environment that leads it to a model's address, the words of a run, and its tools.

    `waits`: what the model does until the client has started its servers; `prepare` writes what
    settings it needs before memory is installed.
    """

    agent: str
    package: str
    program: str
    environment: Callable[[str, Path], Mapping[str, str]]
    words: Callable[[str], Sequence[str]]
    write: Callable[[Path], Step]
    recall: Step
    waits: Sequence[Step] = ()
    prepare: Callable[[Path, str], None] = lambda home, url: None
    seconds: float = 180.0


@dataclass
class Run:
    """One try: folders, and what was found wrong."""

    client: Client
    model: FakeModel
    folder: Path
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.home, self.project = self.folder / "home", self.folder / "shop"
        self.home.mkdir()
        self.project.mkdir()
        (self.project / "notes.txt").write_text("notes\n")
        subprocess.run(["git", "init", "-q", str(self.project)], check=True)

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of the caller's but the PATH."""
        bin_ = installed(self.client.package) / "node_modules" / ".bin"
        path = os.pathsep.join([str(Path(ENGRAPHY).parent), str(bin_), os.environ["PATH"]])
        own = self.client.environment(self.model.url, self.home)
        return {
            "HOME": str(self.home),
            "PATH": path,
            "ENGRAPHY_HOME": str(self.folder / "e"),
            **own,
        }

    def call(self, *words: str, seconds: float = 60.0) -> subprocess.CompletedProcess[str]:
        """A command in the project, ended after so long."""
        return subprocess.run(
            words,
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    def engraphy(self, *words: str) -> str:
        """What one of our commands prints. Raises where it fails."""
        done = self.call(ENGRAPHY, *words)
        if done.returncode:
            raise RuntimeError(f"engraphy {' '.join(words)}: {done.stderr or done.stdout}")
        return done.stdout

    def session(self, prompt: str, *steps: Step) -> subprocess.CompletedProcess[str]:
        """One session of the client, to its end."""
        self.model.play(*steps)
        words = [self.client.program, *self.client.words(prompt)]
        return self.call(*words, seconds=self.client.seconds)

    def expect(self, holds: bool, said: str) -> None:
        """Note what does not hold, and print what does."""
        print(f"  {'ok  ' if holds else 'FAIL'} {said}", flush=True)
        if not holds:
            self.wrong.append(said)


def installed(package: str) -> Path:
    """The folder a package of npm (name@version) is installed in."""
    usual = Path(tempfile.gettempdir()) / "engraphy-npm"
    base = Path(os.environ.get("ENGRAPHY_ACCEPTANCE") or usual)
    name = package.rpartition("@")[0]
    if (base / "node_modules" / name).exists():
        return base
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeError("npm is needed to install the clients")
    base.mkdir(parents=True, exist_ok=True)
    print(f"  installing {package} ...", flush=True)
    # Forced: some name a newer Node.js than they need, as they ship a program of their own.
    options = ("--no-audit", "--no-fund", "--force", "--prefix", str(base))
    subprocess.run([npm, "install", *options, package], check=True, capture_output=True)
    return base


def settings_of(run: Run) -> dict[str, bytes]:
    """Every settings file that `engraphy install` may touch, as it is."""
    known = (".claude", ".codex", ".gemini", ".config", ".cursor", ".copilot")
    found = {}
    for path in [*run.home.iterdir(), *(p for k in known for p in (run.home / k).rglob("*"))]:
        if path.is_file() and path.suffix in {".json", ".toml", ".js"}:
            found[str(path.relative_to(run.home))] = path.read_bytes()
    return found


def kept(run: Run, *words: str) -> bool:
    """Whether memories with all these words are there within the time that is allowed."""
    key = project_of(run.project) or ""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = json.loads(run.engraphy("list", "--project", key, "--json"))["memories"]
        said = " ".join(row["content"] for row in found)
        if all(word in said for word in words):
            return True
        time.sleep(0.5)
    return False


def check(client: Client) -> int:
    """Two sessions: what the first is told the second is given. The number of faults."""
    folder = Path(tempfile.mkdtemp(prefix=f"client-{client.agent}-"))
    print(f"{client.agent}", flush=True)
    with FakeModel() as model:
        run = Run(client, model, folder)
        try:
            _sessions(run)
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            run.expect(False, f"{type(error).__name__}: {error}")
    if not run.wrong:
        shutil.rmtree(folder, ignore_errors=True)
    else:
        print(f"  its files stay in {folder}")
    return len(run.wrong)


def _sessions(run: Run) -> None:
    client = run.client
    client.prepare(run.home, run.model.url)
    before = settings_of(run)
    run.engraphy("install", client.agent, "--yes")
    run.engraphy("remember", CANARY, "--project", "other-00000000")
    first = run.session(TOLD, client.write(run.project), Step(text="Done: notes.txt greets now."))
    (run.folder / "first.txt").write_text(f"{first.stdout}\n{first.stderr}")
    (run.folder / "first.json").write_text(json.dumps(run.model.seen, indent=1))
    run.expect(len(run.model.mains()) >= 2, "the first session reached the model and used a tool")
    run.expect("hello" in (run.project / "notes.txt").read_text(), "it edited the file")
    run.expect(kept(run, "tabs", "PostgreSQL"), "the preference and the decision are remembered")
    second = run.session(ASKED, *client.waits, client.recall, Step(text="PostgreSQL."))
    (run.folder / "second.txt").write_text(f"{second.stdout}\n{second.stderr}")
    (run.folder / "second.json").write_text(json.dumps(run.model.seen, indent=1))
    mains = run.model.mains()
    given = "\n".join(texts(mains[0])) if mains else ""
    run.expect("memory-context" in given, "the second session's first request carries a block")
    run.expect("PostgreSQL for the billing" in given, "with what it is about")
    run.expect("heron" not in given, "and nothing of another project")
    answer = "\n".join(texts(mains[-1])) if len(mains) > 1 + len(client.waits) else ""
    known = "PostgreSQL for the billing"
    run.expect(answer.count(known) > given.count(known), "a call of the tool recall answers")
    run.engraphy("uninstall", client.agent, "--yes")
    after = settings_of(run)
    ours = {name for name, text in after.items() if b"engraphy" in text}
    run.expect(not ours, "nothing of ours is left in its settings")
    run.expect(
        all(after.get(name) == text for name, text in before.items()), "and the old are back"
    )
