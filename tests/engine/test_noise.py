"""What is no memory though it ends without a question mark, comes from a machine, or stands in a
request; and what is one all the same."""

import pytest
from tests.engine.conftest import Shared

QUESTIONS = [
    "hm whats the quickest way to peel garlic",
    "what can we do with the old tyres",
    "ok so how do i undo a merge",
    "how to get red wine out of a carpet",
    "lol what would you wear to that",
    "what to cook on a rainy day",
    "quick question: how long do boiled eggs keep",
    "hmm where did we put the spare fuse",
    "Wie lange muss Reis kochen?",
    "Was kostet ein Brief nach Österreich?",
    "Wie schreibt man das auf Englisch?",
    "Gibt es auf dem Mars Wasser?",
    "¿Cómo se dice gracias en turco?",
    "¿Cuánto tarda en cocerse el arroz?",
    "Comment faire une pâte brisée ?",
    "Quelle est la capitale du Pérou ?",
]
PASTED = [
    (
        "why does prod log this?\n\n2026-03-04T08:01:12Z ERROR uvicorn Exception in application\n"
        'Traceback (most recent call last):\n  File "/app/api.py", line 88, in create\n'
        "    row = await repo.insert(payload)\nValueError: duplicate key"
    ),
    '2026/02/06 14:22:01 ERROR queue: job failed kind=mail attempt=3 err="i/o timeout"',
    (
        "2026-03-01T10:00:00Z INFO server started port=4000\n"
        "2026-03-01T10:00:05Z WARN slow query ms=900"
    ),
    (
        "Traceback (most recent call last):\n"
        '  File "app/main.py", line 12, in <module>\n'
        "    run()\n"
        "ValueError: bad input"
    ),
    "panic: runtime error: index out of range\ngoroutine 7 [running]:\nmain.main()\n".replace(
        "main.main()", "\tmain.main()"
    ),
    (
        "--- FAIL: TestTotals (0.00s)\n"
        "    totals_test.go:41: got 3, want 4\n"
        "FAIL\tshop.example/totals\t0.012s"
    ),
    (
        "FAILED tests/test_cart.py::test_total - AssertionError\n"
        "===== 1 failed, 3 passed in 2.1s ====="
    ),
    "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1",
    "src/app.ts:14:7: error TS2322: Type 'string' is wrong\n  14 |   const a: number = 'x'",
    "the tests fail:",
]
KEPT = [
    "what I like about Lisbon is the light",
    "what we agreed on is a fixed price of 900",
    "how we deploy is by hand on Tuesdays",
    "how to deploy: run make ship on the server",
    "where we live there is no bus",
    "what my sister wants is a piano",
    "what to bring to the cabin: gas, matches, a torch",
    "Was meine Schwester angeht: sie zieht nach Bonn.",
    "Kann ich mit meiner Laktoseintoleranz Butter essen?",
    "¿Puedo comer pan si tengo celiaquía?",
    "Est-ce que mon allergie aux noix est dangereuse ?",
    "2026-03-04 is when the shop opens",
    "2026-03-04 10:00 dentist, second floor",
    "ModuleNotFoundError: No module named yaml, fixed by installing pyyaml",
    "ERROR in the old docs: the office is in Bonn, not in Cologne",
    "2026/02/06 14:22:01 ERROR queue: job failed\nthat was the firewall, port 587 is open now",
    "my address: 9 Bell Road, Leeds",
    "deadline for the grant: 12 May",
    "drop the line length rule, the formatter is enough",
    "remove our two day limit, customers hated it",
]
BESIDE = [
    ("can you suggest a cake for Owen, he turns 44 on the 2nd of May", "44"),
    ("any idea for a present for Ruth, she's into pottery", "pottery"),
    ("could you find a school bag for Mia, her favourite colour is teal", "teal"),
    ("recommend a film for Dad, he hates musicals", "musicals"),
    ("what should I cook for Ines, she doesn't eat pork", "pork"),
    ("can you plan a walk with Bo, he needs a ramp", "ramp"),
    ("suggest games for my nephew, he's six and loves trains", "trains"),
    ("which shoes for Lena, she has flat feet", "flat feet"),
]


@pytest.mark.parametrize("text", [*QUESTIONS, *PASTED])
def test_what_only_asks_or_was_pasted_is_no_memory(shared: Shared, user: str, text: str) -> None:
    """A question may lack its mark or be in another language; a machine's lines tell of no one."""
    (outcome,) = shared().observe(text, user=user)
    assert outcome.action == "skipped", outcome.content


@pytest.mark.parametrize("text", KEPT)
def test_what_tells_something_stays(shared: Shared, user: str, text: str) -> None:
    """Words of a question may open a statement; one's own word beside a log counts; a rule that is
    dropped is told so."""
    (outcome,) = shared().observe(text, user=user)
    assert outcome.action == "created", outcome.reason
    assert outcome.content == text


@pytest.mark.parametrize(("text", "told"), BESIDE)
def test_what_a_request_tells_of_somebody_is_kept(
    shared: Shared, user: str, text: str, told: str
) -> None:
    """Whom it is for, and what is told of them, stay together."""
    (outcome,) = shared().observe(text, user=user)
    assert outcome.action == "created", outcome.reason
    assert told in outcome.content
    assert text.split(",", maxsplit=1)[0].rsplit(maxsplit=1)[-1] in outcome.content
