"""Claude Code, installed from npm, with memory: run by `make acceptance`."""

from common import Client, Step, check

WAIT = "python3 -c 'import time; time.sleep(20)'"

CLIENT = Client(
    agent="claude-code",
    package="@anthropic-ai/claude-code@2.1.332",
    program="claude",
    environment=lambda url, home: {
        "IS_SANDBOX": "1",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "MCP_TIMEOUT": "120000",
    },
    words=lambda prompt: ("-p", prompt, "--dangerously-skip-permissions"),
    write=lambda project: Step(
        tool=r"^Write$",
        arguments={"file_path": str(project / "notes.txt"), "content": "notes\nhello\n"},
    ),
    # It goes ahead after five seconds without the servers that have not started by then.
    waits=[Step(tool=r"^Bash$", arguments={"command": WAIT, "description": "Wait"})],
    recall=Step(tool=r"engraphy__recall$", arguments={"query": "database for the billing service"}),
)

if __name__ == "__main__":
    raise SystemExit(check(CLIENT))
