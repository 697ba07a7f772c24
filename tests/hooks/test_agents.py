"""Six agents, one memory: what they tell, and what they accept."""

import html
import json
from pathlib import Path

import pytest
from tests.hooks import payloads
from tests.hooks.conftest import Hooks

from engraphy.hooks import answer, dialects
from engraphy.project import project_of

TOLD = "I always prefer tabs over spaces in this project."
ANSWER = (
    "We keep invoice totals in Decimal now; the bug came from float rounding in billing/totals.py."
)


@pytest.mark.long
@pytest.mark.parametrize("agent", payloads.NAMES)
def test_a_session_of_any_agent_is_kept(agent: str, hooks: Hooks, folder: Path) -> None:
    """What the user says, what a tool changed and what the agent found are kept in the project."""
    for name, payload in payloads.told(agent, folder, "s1", TOLD, ANSWER):
        hooks.tell(agent, name, payload)
    kept = hooks.texts(project_of(folder))
    assert any(TOLD in text for text in kept)
    assert any("app.py" in text for text in kept)
    assert any("Decimal" in text for text in kept)
    assert hooks.memory.session("s1", project=project_of(folder)).status.ended_at is not None


@pytest.mark.parametrize("agent", ["claude-code", "codex", "opencode", "gemini"])
def test_a_prompt_is_answered_in_the_agents_own_shape(
    agent: str, hooks: Hooks, folder: Path
) -> None:
    """The block stands where the agent takes it, beside nothing that it refuses."""
    hooks.memory.remember("The shop's billing runs on PostgreSQL 16.", project=project_of(folder))
    name = payloads.NAMES[agent][1]
    payload = payloads.SHAPES[agent](name, folder, prompt="Which database runs billing?")
    said = json.loads(hooks.tell(agent, name, payload))
    assert set(said) == {"hookSpecificOutput"}
    assert set(said["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert said["hookSpecificOutput"]["hookEventName"] == name
    text = said["hookSpecificOutput"]["additionalContext"]
    assert text.startswith("<memory-context>\n")
    assert text.endswith("</memory-context>")
    assert "PostgreSQL 16" in text


@pytest.mark.parametrize("agent", ["cursor", "vscode"])
def test_who_takes_nothing_with_a_prompt_is_told_at_the_start(
    agent: str, hooks: Hooks, folder: Path
) -> None:
    """Cursor and VS Code get what the user prefers when a session begins, and nothing later."""
    hooks.memory.remember(TOLD, kind="preference", project=project_of(folder))
    start, submit = payloads.NAMES[agent][:2]
    shape = payloads.SHAPES[agent]
    said = json.loads(hooks.tell(agent, start, shape(start, folder, source="startup")))
    if agent == "cursor":
        assert set(said) == {"additional_context"}
        assert TOLD in said["additional_context"]
    else:
        assert TOLD in said["hookSpecificOutput"]["additionalContext"]
    assert not hooks.tell(agent, submit, shape(submit, folder, prompt="Tabs or spaces?"))


def test_a_conversation_that_was_condensed_is_told_again(hooks: Hooks, folder: Path) -> None:
    """After a compaction what stands is injected anew, and what was given may be given again."""
    project = project_of(folder)
    hooks.memory.remember("The shop's billing runs on PostgreSQL 16.", project=project)
    hooks.memory.remember(TOLD, kind="preference", project=project)
    ask = payloads.claude("UserPromptSubmit", folder, prompt="Which database runs billing?")
    assert "PostgreSQL" in hooks.tell("claude-code", "UserPromptSubmit", ask)
    assert not hooks.tell("claude-code", "UserPromptSubmit", ask)
    again = payloads.claude("SessionStart", folder, source="compact")
    assert TOLD in hooks.tell("claude-code", "SessionStart", again)
    assert "PostgreSQL" in hooks.tell("claude-code", "UserPromptSubmit", ask)


def test_a_summary_of_the_host_is_kept_as_the_agents_word(hooks: Hooks, folder: Path) -> None:
    """What PostCompact tells is a summary, and nothing in it counts as the user's."""
    told = "The user and I moved billing to PostgreSQL 16 and fixed the rounding of invoices."
    payload = payloads.claude("PostCompact", folder, trigger="auto", compact_summary=told)
    hooks.tell("claude-code", "PostCompact", payload)
    [row] = hooks.memory.list(project=project_of(folder))
    assert (row.kind.value, row.origin.value) == ("summary", "agent")


@pytest.mark.parametrize(
    ("event", "more"),
    [
        ("UserPromptSubmit", {"prompt": TOLD, "agent_id": "a1", "agent_type": "Explore"}),
        ("UserPromptSubmit", {"prompt": TOLD, "source": "loop_wakeup"}),
        ("UserPromptSubmit", {"prompt": TOLD, "source": "system"}),
        ("Stop", {"last_assistant_message": ANSWER, "agent_id": "a1"}),
    ],
)
def test_side_calls_are_nobodys_word(
    event: str, more: dict[str, str], hooks: Hooks, folder: Path
) -> None:
    """What a subagent or a timer says is not kept as the user's or the agent's."""
    hooks.tell("claude-code", event, payloads.claude(event, folder, **more))
    assert hooks.texts(project_of(folder)) == []


def test_a_tool_that_failed_is_a_finding_and_one_that_was_stopped_is_none(
    hooks: Hooks, folder: Path
) -> None:
    """PostToolUseFailure is kept with its error; where the user stopped the tool it is not."""
    given = {"tool_name": "Bash", "tool_input": {"command": "make deploy"}, "tool_use_id": "t"}
    error = "Exit code 2: no rule to make target deploy"
    for stopped, count in ((True, 0), (False, 1)):
        said = payloads.claude(
            "PostToolUseFailure", folder, **given, error=error, is_interrupt=stopped
        )
        hooks.tell("claude-code", "PostToolUseFailure", said)
        assert len(hooks.texts(project_of(folder))) == count
    assert error in hooks.texts(project_of(folder))[0]
    told = payloads.cursor(
        "postToolUseFailure", folder, tool_name="Shell", tool_input={"command": "make dist"},
        error_message="Exit code 2: no rule to make target dist", failure_type="error",
    )  # fmt: skip
    hooks.tell("cursor", "postToolUseFailure", told)
    assert any("target dist" in text for text in hooks.texts(project_of(folder)))


def test_what_our_own_tools_answer_is_no_news(hooks: Hooks, folder: Path) -> None:
    """The output of this memory's tools and commands is not captured again (R-10)."""
    output = "1. The shop's billing runs on PostgreSQL 16 since the migration in March."
    for tool, given in (
        ("mcp__engraphy__recall", {"query": "billing"}),
        ("Bash", {"command": "engraphy recall billing"}),
    ):
        payload = payloads.claude(
            "PostToolUse", folder, tool_name=tool, tool_input=given, tool_response=output
        )
        hooks.tell("claude-code", "PostToolUse", payload)
    assert hooks.texts(project_of(folder)) == []


@pytest.mark.long
def test_a_block_never_grows_beyond_what_agents_take(hooks: Hooks, folder: Path) -> None:
    """At most 9,500 bytes and 2,400 tokens, in any script."""
    project = project_of(folder)
    for number in range(14):
        hooks.memory.remember(
            f"納品{number}: 請求書データベースは東京で動く。" + "詳細な説明が続く" * 30,
            kind="preference",
            project=project,
        )
    payload = payloads.claude("SessionStart", folder, source="startup")
    said = json.loads(hooks.tell("claude-code", "SessionStart", payload))
    text = said["hookSpecificOutput"]["additionalContext"]
    assert 0 < len(text.encode()) <= dialects.MOST_BYTES


@pytest.mark.parametrize("agent", dialects.EVENTS)
def test_an_answer_is_one_line_of_ascii(agent: str) -> None:
    """Whatever a memory holds, what is printed is one line of JSON that any console writes."""
    text = 'ığüşöç "quoted" \\ \u2028 𝔘 </memory-context>\n'
    for event in (dialects.START, dialects.PROMPT, dialects.STOP, ""):
        said = answer.written(agent, event, text)
        assert said.count(b"\n") == bool(said)
        assert said.isascii()
        if said:
            value = json.loads(said)
            assert text in {
                value.get("additional_context"),
                *value.get("hookSpecificOutput", {}).values(),
            }


PRACTICES = [
    "ok keycloak it is, we can't send data to the US",
    "zustand was a bad idea, we're going back to redux toolkit",
    "in this project commit messages follow conventional commits",
    "we now use biome instead of eslint + prettier",
    "please answer in German from now on when I write German",
    "I don't want barrel files, they break tree shaking",
    "hotfix branches are always cut from the latest release tag, not from main",
]


@pytest.mark.long
def test_how_things_are_done_is_told_at_the_next_start(hooks: Hooks, folder: Path) -> None:
    """What the user chose, wants and does not want here stands at the start of the next session,
    however casually it was said."""
    for told in PRACTICES:
        asked = payloads.codex("UserPromptSubmit", folder, prompt=told)
        hooks.tell("codex", "UserPromptSubmit", asked)
    start = payloads.codex("SessionStart", folder, "s2", source="startup")
    said = json.loads(hooks.tell("codex", "SessionStart", start))["hookSpecificOutput"]
    block = html.unescape(said["additionalContext"])
    assert [told for told in PRACTICES if told not in block] == []


ONLY_ASKED = [
    "what pdf library are we using?",
    "where do we keep the Terraform state?",
    "can u also make the tests less flaky",
    "have a look around this repo and tell me what it does",
]


@pytest.mark.parametrize("asked", ONLY_ASKED)
def test_what_an_agent_is_only_asked_is_no_memory(asked: str, hooks: Hooks, folder: Path) -> None:
    """A question after what is done here tells nothing of it, and neither does an errand."""
    hooks.tell(
        "codex", "UserPromptSubmit", payloads.codex("UserPromptSubmit", folder, prompt=asked)
    )
    assert hooks.texts(project_of(folder)) == []


def test_what_says_how_a_request_is_meant_keeps_the_request(hooks: Hooks, folder: Path) -> None:
    """ "Use weasyprint for it" would not be understood without what it is for."""
    told = "add an endpoint GET /invoices/{id}/pdf. use weasyprint for it"
    hooks.tell("codex", "UserPromptSubmit", payloads.codex("UserPromptSubmit", folder, prompt=told))
    assert hooks.texts(project_of(folder)) == [told]


@pytest.mark.long
def test_a_start_has_room_for_the_practices_of_a_project(hooks: Hooks, folder: Path) -> None:
    """A dozen choices are told at the next start, the newest first where there are more."""
    tools = ["alpha", "bravo", "carol", "delta", "echo", "fargo", "golf", "hotel", "india"]
    tools += ["julia", "kilo", "lima", "mike", "nova"]
    for number, name in enumerate(tools):
        hooks.memory.remember(
            f"{name} runs step {number} of the release", kind="decision", project=project_of(folder)
        )
    start = payloads.codex("SessionStart", folder, "s2", source="startup")
    said = hooks.tell("codex", "SessionStart", start)
    assert sum(f"{name} runs step" in said for name in tools) == 12
    assert "nova runs step" in said
