"""Uses of tools about a few topics, as a coding agent would bring them: seeded, and made here."""

from random import Random
from typing import Any

TOPICS: dict[str, tuple[str, tuple[str, ...]]] = {
    "auth": (
        "src/auth",
        ("login", "token", "password", "session cookie", "expired credentials", "OAuth callback"),
    ),
    "billing": (
        "services/billing",
        ("invoice", "currency rounding", "tax rate", "refund", "payment gateway", "receipt total"),
    ),
    "frontend": (
        "web/components",
        ("button colour", "dark theme", "flexbox layout", "navigation menu", "font size", "icon"),
    ),
    "database": (
        "db/migrations",
        ("index", "slow query plan", "foreign key", "vacuum", "replica lag", "connection pool"),
    ),
    "search": (
        "search/ranking",
        ("tokenizer", "BM25 weight", "synonym list", "stemming", "query rewrite", "snippet"),
    ),
    "deploy": (
        "infra/k8s",
        ("container image", "rollout", "liveness probe", "memory limit", "ingress", "node pool"),
    ),
}
VERBS = ("checks", "loads", "computes", "stores", "validates", "returns")


def use(topic: str, chance: Random) -> dict[str, Any]:
    """One use of a tool on a topic: an edit, a read, or a test run."""
    folder, things = TOPICS[topic]
    one, two, three = chance.sample(things, 3)
    file = f"{folder}/{one.split()[0].lower()}.py"
    number = chance.randrange(1000)
    line = f"the {topic} module {chance.choice(VERBS)} the {one} before the {two} and the {three}"
    return chance.choice(
        (
            {
                "tool": "Edit",
                "output": "The file has been updated.",
                "input": {
                    "file_path": file,
                    "old_string": f"x = {number}",
                    "new_string": f"# {line}\nx = {number + 1}",
                },
            },
            {
                "tool": "Read",
                "output": f"# {line}\ndef {topic}_{number}():\n    return {number}",
                "input": {"file_path": file},
            },
            {
                "tool": "Bash",
                "output": f"{file}: {line}\n{number} passed",
                "input": {"command": f"pytest {folder} -k '{one}'"},
            },
        )
    )
