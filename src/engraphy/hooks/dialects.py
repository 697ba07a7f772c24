"""What each agent calls its events and its fields, and what it accepts as an answer: data.

Sources: the agents' own schemas and runs of the real clients (Claude Code 2.1, Codex 0.171, Gemini
CLI 0.61, OpenCode 1.18), and the documentation of Cursor and VS Code.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

START, PROMPT, TOOL = "session:start", "prompt:submit", "tool:post"
BEFORE, AFTER, STOP, END = "compact:before", "compact:after", "turn:stop", "session:end"

_CLAUDE = {
    "sessionstart": START,
    "userpromptsubmit": PROMPT,
    "posttooluse": TOOL,
    "posttoolusefailure": TOOL,
    "precompact": BEFORE,
    "postcompact": AFTER,
    "stop": STOP,
    "sessionend": END,
}

EVENTS: Mapping[str, Mapping[str, str]] = {
    "claude-code": _CLAUDE,
    "codex": _CLAUDE,
    "opencode": _CLAUDE,
    "vscode": _CLAUDE,
    "gemini": {
        "sessionstart": START,
        "beforeagent": PROMPT,
        "aftertool": TOOL,
        "precompress": BEFORE,
        "afteragent": STOP,
        "sessionend": END,
    },
    "cursor": {
        "sessionstart": START,
        "beforesubmitprompt": PROMPT,
        "posttooluse": TOOL,
        "posttoolusefailure": TOOL,
        "aftershellexecution": TOOL,
        "aftermcpexecution": TOOL,
        "afterfileedit": TOOL,
        "afteragentresponse": STOP,
        "precompact": BEFORE,
        "stop": STOP,
        "sessionend": END,
    },
}
"""Each agent's names without case, hyphens and underscores, and ours."""

_INJECTS = frozenset({START, PROMPT})
ANSWERS: Mapping[str, tuple[str, frozenset[str]]] = {
    "claude-code": ("nested", _INJECTS),
    "codex": ("nested", _INJECTS),
    "opencode": ("nested", _INJECTS),
    "gemini": ("nested", _INJECTS),
    "vscode": ("nested", frozenset({START})),
    "cursor": ("flat", frozenset({START})),
}
"""How an agent takes text for its prompt, and at which events it takes any: `nested` under
hookSpecificOutput, `flat` as additional_context."""

USUAL_SECONDS: Mapping[str, float] = {START: 6.0, PROMPT: 6.0}
OTHER_SECONDS = 1.2
"""When a hook is over, whatever it is at: well below the shortest time a client gives (Claude Code
ends a session's hooks after 1.5 s, Codex after 3)."""

MOST_BYTES = 9_500
"""Of a block: Claude Code moves more than 10,000 characters to a file, Codex more than 2,500
tokens, which it takes for four bytes each."""
MOST_TOKENS = 2_400
MOST_READ = 64_000_000
"""Bytes that a hook reads at most, of its agent or of the daemon."""

# Fields by their names at the agents, the first that is there counts.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "session": ("session_id", "conversation_id", "sessionId", "sessionID"),
    "turn": ("prompt_id", "turn_id", "generation_id"),
    "folder": ("cwd", "workspace_roots", "directory"),
    "prompt": ("prompt",),
    "tool": ("tool_name", "tool"),
    "given": ("tool_input", "args"),
    "output": ("tool_response", "tool_output", "result_json", "output"),
    "answer": ("last_assistant_message", "prompt_response", "text"),
    "error": ("error", "error_message"),
    "source": ("source",),
    "reason": ("reason", "trigger"),
    "summary": ("compact_summary",),
    "call": ("tool_use_id", "tool_call_id"),
}
SIDE = ("agent_id", "subagent_id", "isSidechain")
"""Fields that only a side call has: a subagent's."""
ADDED: Mapping[str, tuple[str, ...]] = {
    "gemini": ("\n--- Content from referenced files ---", "\n<system_note>\n"),
}
"""With what an agent begins that it puts behind what was typed, into the same text: the content of
files and resources named with @, and a word of its own. None of it is the user's."""
NOT_THE_USER = frozenset({"system", "loop_wakeup", "schedule_wakeup", "poll_event"})
"""Sources of a prompt that nobody typed."""


def known(agent: str) -> str:
    """An agent's name as the tables have it; "" for one that nobody knows."""
    wanted = agent.strip().lower().replace("_", "-")
    return wanted if wanted in EVENTS else ""


def told(agent: str, event: str) -> str:
    """Our name of an agent's event; "" for one that brings nothing to a memory. Ours are known to
    every agent."""
    table = EVENTS.get(agent, {})
    if event in table.values():
        return event
    return table.get(event.lower().replace("-", "").replace("_", ""), "")
