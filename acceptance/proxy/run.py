"""Unmodified clients through the proxy of `engraphy serve`: their bytes are the model's, and the
second conversation carries what the first one told."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "clients"))

import codex  # noqa: E402 - its settings
import fake_model  # noqa: E402
import gemini  # noqa: E402
import opencode  # noqa: E402
from common import ASKED, TOLD, installed  # noqa: E402
from fake_model import FakeModel, Step, texts  # noqa: E402
from sdk_texts import FACTS  # noqa: E402
from tap import Tap  # noqa: E402

ENGRAPHY = str(Path(sys.executable).with_name("engraphy"))
CANARIES = ("sk-ant-canary-0001", "sk-canary-0002", "sk-canary-0003")
KNOWN = "PostgreSQL for the billing"
SECONDS = 60.0
SESSION_SECONDS = 900.0
"""Against hanging: a slow machine loads an SDK or a client for a minute."""


class Kept(fake_model._Handler):
    """A handler that keeps the bodies it writes."""

    bodies: list[bytes]
    _body_bytes = b""

    def handle(self) -> None:
        """As usual, with every byte of a body kept."""
        write = self.wfile.write
        heads = False

        def kept(data: bytes) -> int:
            if self._in_body:
                self.bodies[self._place] += data
            return write(data)

        self._in_body = heads
        self.wfile.write = kept  # type: ignore[method-assign]
        super().handle()

    def send_response(self, *given: Any) -> None:
        """The head of the next answer."""
        self._in_body = False
        super().send_response(*given)

    def end_headers(self) -> None:
        """What follows is a body."""
        super().end_headers()
        self._in_body = True
        self._place = len(self.bodies)
        self.bodies.append(b"")


@dataclass
class Run:
    """A server, a model, and what was found wrong."""

    folder: Path
    model: FakeModel
    tap: Tap
    token: str
    sent: list[bytes]
    wrong: list[str] = field(default_factory=list)

    @property
    def base(self) -> str:
        """The address that clients are given, the token in it."""
        return f"{self.tap.url}/t/{self.token}"

    def expect(self, holds: bool, said: str) -> None:
        """Note what does not hold, and print what does."""
        print(f"  {'ok  ' if holds else 'FAIL'} {said}", flush=True)
        if not holds:
            self.wrong.append(said)

    def kept(self, *words: str) -> bool:
        """Whether memories with all these words are there in time."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            done = subprocess.run(
                [ENGRAPHY, "list", "--db", str(self.folder / "m.db"), "--json", "--limit", "200"],
                capture_output=True, text=True, env=self.environment(), check=True,
            )  # fmt: skip
            said = " ".join(row["content"] for row in json.loads(done.stdout)["memories"])
            if all(word in said for word in words):
                return True
            time.sleep(0.5)
        print(f"    kept: {said}")
        return False

    def environment(self, **more: str) -> dict[str, str]:
        """Nothing of the caller's but the PATH."""
        own = {"HOME": str(self.folder), "ENGRAPHY_HOME": str(self.folder / "e")}
        return {"PATH": os.environ["PATH"], **own, **more}

    def to_its_end(
        self, what: str, words: Sequence[str], environment: dict[str, str], place: Path
    ) -> None:
        """A client runs, and ends well and in time. What it says is shown where it does not."""
        out, began = self.folder / "out.txt", time.monotonic()
        with out.open("w") as told:
            try:
                code: int | None = subprocess.run(
                    words, cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=told,
                    stderr=told, timeout=SESSION_SECONDS, check=False,
                ).returncode  # fmt: skip
            except subprocess.TimeoutExpired:
                code = None
        self.expect(code == 0, f"{what}, {time.monotonic() - began:.0f} s")
        if code != 0:
            print(f"    {'ended by the clock' if code is None else code}: {out.read_text()[-900:]}")

    def alike(self, what: str) -> None:
        """Whether clients got the model's bytes, answer by answer."""
        until = time.monotonic() + 5
        while (got := self.tap.bodies()) != sorted(self.sent) and time.monotonic() < until:
            time.sleep(0.2)
        count = len(self.sent)
        self.expect(
            got == sorted(self.sent), f"{what}: {count} answers are the model's to the byte"
        )


@contextmanager
def running(folder: Path) -> Iterator[Run]:
    """`engraphy serve` in front of a model, with a wire before it that keeps what comes back."""
    sent: list[bytes] = []
    usual = fake_model._Handler
    fake_model._Handler = type("Kept", (Kept,), {"bodies": sent})  # type: ignore[misc]
    try:
        with FakeModel() as model:
            words = [ENGRAPHY, "serve", "--port", "0", "--db", str(folder / "m.db"), "--no-embed"]
            for name in ("anthropic", "openai", "gemini"):
                words += ["--upstream", f"{name}={model.url}"]
            server = subprocess.Popen(
                words, stdout=subprocess.PIPE, stderr=(folder / "log").open("w"), text=True,
                env={"PATH": os.environ["PATH"], "ENGRAPHY_HOME": str(folder / "e")},
            )  # fmt: skip
            try:
                assert server.stdout is not None
                token = server.stdout.readline().rpartition(" ")[2].strip()
                address = server.stdout.readline().partition("/signin")[0].rpartition(" ")[2]
                with Tap(int(address.rpartition(":")[2])) as tap:
                    yield Run(folder, model, tap, token, sent)
            finally:
                server.terminate()
                server.wait(20)
    finally:
        fake_model._Handler = usual  # type: ignore[misc]


def sdk(run: Run) -> None:
    """The SDKs of Anthropic and OpenAI, whole and streamed."""
    for which in ("told", "asked"):
        run.model.play(*[Step(text=f"Understood, number {n}.") for n in range(6)])
        words = [os.environ["SDK"], str(HERE / "sdk.py"), run.tap.url, run.token, which]
        run.to_its_end(f"the SDKs run ({which})", words, run.environment(), run.folder)
        print(indent((run.folder / "out.txt").read_text(), "    "))
        run.expect(len(run.model.seen) == 6, "six requests reached the model")
        if which == "told":
            run.expect(run.kept(*FACTS), "what the first conversations told is remembered")
        else:
            for (path, body), fact in zip(run.model.seen, FACTS, strict=True):
                given = "\n".join(texts(body))
                run.expect(fact in given, f"{path}: the second carries {fact!r}")
    run.alike("SDKs")


def claude(run: Run) -> None:
    """Claude Code, two sessions."""
    write = {"content": "notes\nhello\n", "file_path": str(run.folder / "shop" / "notes.txt")}
    more = {
        "IS_SANDBOX": "1",
        "ANTHROPIC_BASE_URL": f"{run.base}/proxy/anthropic",
        "ANTHROPIC_API_KEY": "sk-ant-canary-0001",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    words = ("claude", "-p", "{}", "--dangerously-skip-permissions")
    package = "@anthropic-ai/claude-code@2.1.332"
    agent(run, package, words, more, Step(tool=r"^Write$", arguments=write))


def codex_cli(run: Run) -> None:
    """Codex, two sessions."""
    (run.folder / ".codex").mkdir()
    settings = codex.SETTINGS.format(url=f"{run.base}/proxy/openai")
    (run.folder / ".codex" / "config.toml").write_text(settings)
    command = "echo hello >> notes.txt"
    words = ("codex", "exec", "--json", "--skip-git-repo-check",
             "--dangerously-bypass-approvals-and-sandbox", "{}")  # fmt: skip
    step = Step(
        tool=r"^(exec_command|shell_command|shell)$",
        arguments={"cmd": command, "command": command},
    )
    agent(run, "@openai/codex@0.171.0", words, {"FAKE_KEY": "sk-canary-0003"}, step)


def gemini_cli(run: Run) -> None:
    """Gemini CLI, two sessions."""
    (run.folder / ".gemini").mkdir()
    said = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (run.folder / ".gemini" / "settings.json").write_text(json.dumps(said))
    more = {
        "GEMINI_API_KEY": "sk-canary-0003",
        "GOOGLE_GEMINI_BASE_URL": f"{run.base}/proxy/gemini",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }
    words = ("gemini", "-p", "{}", "-o", "json", "--approval-mode", "yolo",
             "-m", "gemini-2.5-flash")  # fmt: skip
    write = {"content": "notes\nhello\n", "file_path": str(run.folder / "shop" / "notes.txt")}
    agent(run, gemini.CLIENT.package, words, more, Step(tool=r"^write_file$", arguments=write))


def opencode_cli(run: Run) -> None:
    """OpenCode, two sessions, over Chat Completions."""
    opencode.prepare(run.folder, f"{run.base}/proxy/openai")
    client = opencode.CLIENT
    words = (client.program, *client.words("{}"))
    more = client.environment(run.base, run.folder)
    agent(run, client.package, words, more, client.write(run.folder / "shop"))


def agent(run: Run, package: str, words: Sequence[str], more: dict[str, str], step: Step) -> None:
    """Two sessions of an agent; the first uses a tool."""
    shop = run.folder / "shop"
    shop.mkdir()
    (shop / "notes.txt").write_text("notes\n")
    path = f"{installed(package) / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}"

    def session(prompt: str, *steps: Step) -> None:
        run.model.play(*steps)
        given = [one.format(prompt) for one in words]
        run.to_its_end(
            "the session ends well", given, run.environment(**more) | {"PATH": path}, shop
        )
        (run.folder / "seen.json").write_text(json.dumps(run.model.seen, indent=1))

    session(TOLD, step, Step(text="Done: notes.txt greets now."))
    run.expect("hello" in (shop / "notes.txt").read_text(), "the model's tool call reached it")
    run.expect(run.kept("tabs", "PostgreSQL"), "what was told is remembered")
    session(ASKED, step, Step(text="PostgreSQL."))
    mains = run.model.mains()
    run.expect(len(mains) == 2, "two requests of a tool loop")
    given = ["\n".join(texts(body)) for body in mains]
    run.expect(all(KNOWN in one for one in given), "both carry what the first session told")
    blocks = [one[one.find("<memory-context>") : one.find("</memory-context>")] for one in given]
    run.expect(len(set(blocks)) == 1 and len(blocks[0]) > 20, "in the identical text")
    run.alike("agent")


def main(names: Sequence[str]) -> int:
    """Every client, each with a server of its own. The number of faults."""
    wrong = 0
    checks = {
        "sdk": sdk,
        "claude": claude,
        "codex": codex_cli,
        "gemini": gemini_cli,
        "opencode": opencode_cli,
    }
    for name, check in checks.items():
        if names and name not in names:
            continue
        print(name, flush=True)
        folder = Path(tempfile.mkdtemp(prefix=f"proxy-{name}-"))
        with running(folder) as run:
            check(run)
        files = [
            one for one in (folder / "m.db", folder / "m.db-wal", folder / "log") if one.exists()
        ]
        stored = b"".join(one.read_bytes() for one in files)
        run.expect(not any(one.encode() in stored for one in CANARIES), "no key in store and log")
        run.expect(run.token.encode() not in stored, "and no token")
        wrong += len(run.wrong)
        if run.wrong:
            print(f"  its files stay in {folder}")
    return wrong


if __name__ == "__main__":
    raise SystemExit(min(1, main(sys.argv[1:])))
