"""Data files of a few lines in each benchmark's format, made here."""

import gzip
import json
from pathlib import Path
from typing import Any


def written(file: Path, value: Any) -> Path:
    text = json.dumps(value).encode()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(text, mtime=0) if file.suffix == ".gz" else text)
    return file


def locomo() -> list[dict[str, Any]]:
    first = [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "I adopted a grey cat named Pixel."},
        {"speaker": "Ben", "dia_id": "D1:2", "text": "Lovely! I started rowing on the lake."},
        {
            "speaker": "Ana",
            "dia_id": "D1:3",
            "text": "Look at this.",
            "blip_caption": "a photo of a lighthouse",
        },
    ]
    second = [
        {"speaker": "Ben", "dia_id": "D2:1", "text": "My sister moved to Lisbon in spring."},
        {"speaker": "Ana", "dia_id": "D2:2", "text": "I bake sourdough bread every Sunday."},
    ]
    asked = [
        {"question": "What is Ana's cat called?", "evidence": ["D1:1"], "category": 4},
        {"question": "What do they do for fun?", "evidence": ["D1:2; D2:02"], "category": 1},
        {"question": "Where did Ben's sister move?", "evidence": ["D:2:1", "D"], "category": 2},
        {"question": "Who is the king?", "evidence": ["D9:9"], "category": 5},
        {"question": "Why?", "evidence": [], "category": 3},
    ]
    conversation = {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": first,
        "session_2_date_time": "10:05 am on 9 June, 2023",
        "session_2": second,
        "session_3_date_time": "10:05 am on 9 July, 2023",
    }
    return [{"sample_id": "conv-1", "conversation": conversation, "qa": asked}]


def haystacks() -> list[dict[str, Any]]:
    sessions = [
        [
            {"role": "user", "content": "I graduated in botany.", "has_answer": True},
            {"role": "assistant", "content": "Congratulations on the degree!"},
        ],
        [{"role": "user", "content": "My bicycle is red."}, {"role": "assistant", "content": " "}],
    ]
    row = {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "What did I graduate in?",
        "haystack_session_ids": ["late", "early"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/01 (Mon) 12:00"],
        "haystack_sessions": sessions,
        "answer_session_ids": ["late"],
    }
    return [row, {**row, "question_id": "q2_abs"}]


def pooled() -> dict[str, Any]:
    text = "user: I graduated in botany.\nassistant: Well done.\nWith two lines.\nuser:  \n"
    return {
        "documents": [
            {"id": "s1", "text": text},
            {"id": "s2", "text": "user: My bicycle is red.\n"},
        ],
        "queries": [{"id": "q", "query": "Which degree?", "question_type": "t", "gold": ["s1"]}],
    }


def beam() -> dict[str, Any]:
    turns = [
        {"role": "user", "id": 0, "content": "The budget is 300.", "time_anchor": "March-15-2024"},
        {"role": "assistant", "id": 1, "content": "Noted."},
        {"role": "user", "id": 2, "content": "The budget is now 500.", "time_anchor": "soon"},
    ]
    changed = {"original_info": [0], "updated_info": [2]}
    return {
        "chat_id": "7",
        "chat": [{"batch_number": 1, "turns": [turns]}],
        "probing_questions": {
            "abstention": [{"question": "Who?", "source_chat_ids": None}],
            "knowledge_update": [{"question": "What is the budget?", "source_chat_ids": changed}],
            "event_ordering": [{"question": "In which order?", "source_chat_ids": [[0], 2, 99]}],
        },
    }


def belief(name: str, content: str, **changes: Any) -> dict[str, Any]:
    made = {
        "_id": f"b-{name}",
        "user_id": "test-user",
        "type": "entity",
        "canonical_name": name,
        "aliases": [],
        "content": content,
        "why_it_matters": "",
        "scope": ["domain:code"],
        "confidence": 0.9,
        "pinned": False,
        "created_at": "2026-01-01T00:00:00Z",
        "resolved_at": None,
        "superseded_by": None,
    }
    return made | changes


def precision(folder: Path) -> Path:
    beliefs = [
        belief("kubernetes", "Deploys to a cluster on EKS.", aliases=["k8s"]),
        belief("oldhost", "Previously ran on bare metal.", superseded_by="b-kubernetes"),
        belief("database", "Decided on MongoDB.", type="decision", pinned=True),
        belief("auth", "JWT or sessions? Not decided.", type="open_question", pinned=True),
        belief("tone", "Prefers direct answers.", type="preference", scope=["user:universal"]),
        belief("novel", "The heroine lives in Lisbon.", scope=["domain:writing"]),
        belief("secret", "Uses Haskell.", user_id="other", pinned=True),
    ]
    beliefs[1]["created_at"] = "2025-01-01T00:00:00Z"
    case = {"category": "c", "scope": ["domain:code"], "query": "which cluster?"}
    expect = {
        "relevantBeliefs": {"shouldOnlyInclude": ["b-kubernetes"], "mustExclude": ["b-oldhost"]},
        "pinnedFacts": {"mustInclude": ["b-database"], "mustExclude": ["b-secret"]},
        "openQuestions": {"mustInclude": ["b-auth"]},
        "personaPrelude": {"nonEmpty": True, "contains": ["direct"], "mustNotContain": ["Haskell"]},
    }
    nothing = {"relevantBeliefs": {"shouldOnlyInclude": []}}
    cases = [
        {**case, "caseId": "alias", "expect": expect},
        {**case, "caseId": "empty", "query": " ", "expect": nothing},
        {**case, "caseId": "stranger", "userId": "new", "expect": nothing},
        {**case, "caseId": "full", "budget": {"maxBeliefs": 1}, "expect": nothing},
        {**case, "caseId": "elsewhere", "scope": ["domain:writing"], "expect": nothing},
    ]
    written(folder / "fixtures" / "beliefs.seed.json", beliefs)
    written(folder / "fixtures" / "retrieval.cases.json", cases)
    written(folder / "fixtures" / "session-retrieval.cases.json", [])
    return folder
