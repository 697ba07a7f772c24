-- name: spent_on_calls
SELECT count(*), coalesce(sum(prompt_tokens + completion_tokens), 0), coalesce(sum(cost), 0.0)
FROM model_calls
WHERE tenant = :tenant AND at >= :since AND outcome NOT IN ('budget', 'paused');

-- name: last_calls
SELECT at, outcome
FROM model_calls
WHERE tenant = :tenant AND outcome NOT IN ('started', 'budget', 'paused')
ORDER BY at DESC, number DESC
LIMIT :most;

-- name: begin_call
INSERT INTO model_calls (
    tenant, at, model, skill, outcome, prompt_tokens, completion_tokens, cost, milliseconds
) VALUES (
    :tenant, :at, :model, :skill, :outcome, :prompt_tokens, :completion_tokens, :cost, :milliseconds
)
RETURNING number;

-- name: finish_call
UPDATE model_calls SET
    outcome = :outcome,
    prompt_tokens = :prompt_tokens,
    completion_tokens = :completion_tokens,
    cost = :cost,
    milliseconds = :milliseconds
WHERE number = :number AND tenant = :tenant AND outcome = 'started';

-- name: model_use
SELECT
    model, skill, outcome, count(*), sum(prompt_tokens), sum(completion_tokens), sum(cost),
    sum(milliseconds)
FROM model_calls
WHERE tenant = :tenant AND at >= :since AND at < :until
GROUP BY model, skill, outcome
ORDER BY model, skill, outcome;

-- name: check_model_calls
SELECT count(*)
FROM model_calls
WHERE
    outcome IN ('budget', 'paused')
    AND (prompt_tokens > 0 OR completion_tokens > 0 OR coalesce(cost, 0.0) > 0 OR milliseconds > 0);
