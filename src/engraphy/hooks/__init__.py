"""`engraphy hook AGENT EVENT`: memory inside coding agents, whatever they call their events.

    stdin ──▶ door ──▶ daemon, where one runs ──▶ serving ─┐
               │                                           ├──▶ chain of verbs ──▶ answer ──▶ stdout
               └──▶ event ──▶ spool | glance | opened ─────┘

A hook's process answers and is gone. What is to be kept is put into a spool, one file per event,
and worked off by whoever has time: the daemon, or a process that the end of a turn starts. Nothing
here may hurt the host: a hook always ends with 0, in time, and prints only what its agent accepts.

What happened stands in `hooks/activity.jsonl` under ENGRAPHY_HOME, one JSON object per line, the
newest last; the file is cut to its newer half when it grows beyond 1 MB. It holds no text. Keys:

| key | what it tells |
|---|---|
| `at` | microseconds UTC |
| `agent` | claude-code, codex, gemini, opencode, cursor, vscode |
| `event` | session:start, prompt:submit, tool:post, compact:before, compact:after, turn:stop or
  session:end |
| `session`, `project` | as the agent and the folder name them; "" where there is none |
| `phase` | `fired`: the hook was called; `worked`: what it brought was written |
| `way` | of `fired`: daemon, glance, opened, spooled, none; of `worked`: "" |
| `ms` | how long it took |
| `injected` | ids of the memories that were put into the prompt |
| `tokens` | what they cost there |
| `captured` | ids of the memories that were created, updated or superseded |
| `skipped` | why nothing was kept, by reason with counts |
| `failed` | steps that failed with the name of the error; the others ran |

`activity.read(home)` gives them as a list of dicts; who reads the file skips lines that do not
parse.
"""

__all__: list[str] = []
