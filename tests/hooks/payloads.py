"""What each agent writes to a hook's standard input, in the shape of its own schema."""

from pathlib import Path
from typing import Any

Payload = dict[str, Any]

CLAUDE_FIELDS = ("session_id", "transcript_path", "cwd", "hook_event_name")


def claude(event: str, folder: Path, session: str = "s1", **more: Any) -> Payload:
    """Claude Code, VS Code: snake_case, events with capitals."""
    base = {
        "session_id": session,
        "transcript_path": f"{folder}/.claude/{session}.jsonl",
        "cwd": str(folder),
        "hook_event_name": event,
        "permission_mode": "default",
    }
    return {**base, **more}


def codex(event: str, folder: Path, session: str = "s1", **more: Any) -> Payload:
    """Codex: as Claude Code, with a turn and without a transcript in some modes."""
    base = {
        "session_id": session,
        "turn_id": "turn-1",
        "transcript_path": None,
        "cwd": str(folder),
        "hook_event_name": event,
        "model": "gpt-5.5",
        "permission_mode": "default",
    }
    return {**base, **more}


def gemini(event: str, folder: Path, session: str = "s1", **more: Any) -> Payload:
    """Gemini CLI: its own names, with a timestamp."""
    base = {
        "session_id": session,
        "transcript_path": "",
        "cwd": str(folder),
        "hook_event_name": event,
        "timestamp": "2026-11-27T10:00:00.000Z",
    }
    return {**base, **more}


def cursor(event: str, folder: Path, session: str = "s1", **more: Any) -> Payload:
    """Cursor: conversations, generations and workspace roots."""
    base = {
        "conversation_id": session,
        "generation_id": "g1",
        "hook_event_name": event,
        "workspace_roots": [str(folder)],
        "cursor_version": "2.4.0",
    }
    return {**base, **more}


SHAPES = {
    "claude-code": claude,
    "codex": codex,
    "gemini": gemini,
    "opencode": claude,
    "cursor": cursor,
    "vscode": claude,
}
NAMES = {
    "claude-code": ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"),
    "codex": ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"),
    "opencode": ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"),
    "vscode": ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"),
    "gemini": ("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"),
    "cursor": (
        "sessionStart",
        "beforeSubmitPrompt",
        "postToolUse",
        "afterAgentResponse",
        "sessionEnd",
    ),
}


def told(
    agent: str, folder: Path, session: str, prompt: str, answer: str
) -> list[tuple[str, Payload]]:
    """A whole session of an agent: start, a prompt, an edit, the answer, the end."""
    start, submit, tool, stop, end = NAMES[agent]
    shape = SHAPES[agent]
    edit = {
        "file_path": f"{folder}/app.py",
        "old_string": "x = 1",
        "new_string": "x = total(order)",
    }
    response: Any = {"filePath": f"{folder}/app.py"}
    answered: Payload = {"last_assistant_message": answer, "stop_hook_active": False}
    if agent == "gemini":
        response = {"llmContent": "Successfully modified app.py", "returnDisplay": "ok"}
        answered = {"prompt": prompt, "prompt_response": answer, "stop_hook_active": False}
    if agent == "cursor":
        answered = {"text": answer}
    used = {"tool_name": "Edit", "tool_input": edit, "tool_response": response}
    return [
        (start, shape(start, folder, session, source="startup")),
        (submit, shape(submit, folder, session, prompt=prompt)),
        (tool, shape(tool, folder, session, tool_use_id="t1", **used)),
        (stop, shape(stop, folder, session, **answered)),
        (end, shape(end, folder, session, reason="other")),
    ]
