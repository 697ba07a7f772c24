-- The ledger of a language model: what was asked for, how it ended, what it cost. Never a text.
-- A line stands as 'started', with what is set aside for it, until its call has ended.
CREATE TABLE model_calls (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    at INTEGER NOT NULL,
    model TEXT NOT NULL,
    skill TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (
        outcome IN ('started', 'ok', 'invalid', 'timeout', 'refused', 'budget', 'paused', 'error')
    ),
    prompt_tokens INTEGER NOT NULL CHECK (prompt_tokens >= 0),
    completion_tokens INTEGER NOT NULL CHECK (completion_tokens >= 0),
    cost REAL CHECK (cost IS NULL OR cost >= 0),
    milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0)
) STRICT;

CREATE INDEX model_calls_by_moment ON model_calls (tenant, at);
