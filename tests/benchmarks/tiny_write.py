"""The folders that `bench write` reads, with a few lines in each data set's format, made here."""

import json
from pathlib import Path
from typing import Any

from tests.benchmarks import tiny


def point(taste: str, item: str) -> dict[str, str]:
    reason = f"That is how I feel about {item}."
    return {"type": taste, "specific_item": item, "reason": reason}


def event(
    number: int, direction: str, before: dict[str, str], after: dict[str, str]
) -> dict[str, Any]:
    return {
        "event_id": number,
        "type_to_update": "Drinks",
        "update_direction": direction,
        "before_preference": {"memory_points": [before]},
        "after_preference": {"memory_points": [after]},
        "changed_index": 0,
        "event_description": "A long walk in the hills changed something.",
    }


def halumem(folder: Path) -> None:
    """Two users with the same preferences: the first gives up tea, the second keeps everything."""
    points = [point("like", "Tea"), point("like", "Chess"), point("dislike", "Opera")]
    profile = {"preferences": {"Drinks": {"memory_points": points}}}
    gone = event(1, "Delete", points[0], points[0])
    users = [{"uuid": "u0", "event_list": [gone]}, {"uuid": "u1", "event_list": []}]
    first = [{"uuid": user["uuid"], "profile": profile} for user in users]
    tiny.written(folder / "halumem" / "stage3_2_preference_events.json", users)
    tiny.written(folder / "halumem" / "stage1_3_preferences.json", first)


def clinc(folder: Path) -> None:
    """Four trivial messages, one of which looks like none; two real ones, one of which is not in
    the scope."""
    told = [
        ["hello", "greeting"],
        ["thanks a lot", "thank_you"],
        ["yes", "yes"],
        ["my sister Vera moved to Lisbon last week", "goodbye"],
        ["I fly to Oslo on Friday to see my brother Jan", "book_flight"],
    ]
    splits = {"test": told, "oos_test": [["our landlord raised the rent to 900 euros", "oos"]]}
    tiny.written(folder / "clinc" / "data_full.json.gz", splits)


def prefeval(folder: Path) -> None:
    """Two topics with one row each: the first by name is for tuning."""
    for topic in ("boats", "soups"):
        row = {"preference": f"I really dislike {topic}.", "question": "Where is the harbour?"}
        tiny.written(folder / "prefeval" / f"{topic}.json", [row])


def mempalace(folder: Path) -> None:
    """One snippet and one text with entities, the same in every language."""
    root = folder / "mempalace_model_eval"
    said = {"id": "m1", "text": "I prefer tabs over spaces in every Python file."}
    wanted = {"type": "preference", "content": "Prefers tabs over spaces in Python files."}
    labelled = {"id": "m1", "memories": [wanted]}
    _task(root / "memory_extraction", said, labelled)
    named = {"id": "e1", "text": "I met Saela Brand at the harbour, she bakes bread."}
    entity = {"name": "Saela Brand", "type": "person"}
    _task(root / "entity_extraction", named, {"id": "e1", "entities": [entity]})


def _task(folder: Path, sample: dict[str, Any], labels: dict[str, Any]) -> None:
    folder.mkdir(parents=True)
    for code in ("", ".de", ".es", ".fr", ".hi", ".it", ".ko", ".pt-BR", ".ru", ".zh"):
        (folder / f"dataset{code}.jsonl").write_text(json.dumps(sample) + "\n", encoding="utf-8")
    (folder / "labels.jsonl").write_text(json.dumps(labels) + "\n", encoding="utf-8")


def sick(folder: Path) -> None:
    """One pair of each label; the entailed one differs by a full stop alone."""
    lines = [
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment",
        "1\tA baker sells bread\tA baker sells bread.\t5\tENTAILMENT",
        "2\tA baker sells bread\tNobody sells bread\t3\tCONTRADICTION",
        "3\tA baker sells bread\tThree horses cross a river\t1\tNEUTRAL",
    ]
    (folder / "sick").mkdir(parents=True)
    (folder / "sick" / "SICK_train.txt").write_text("\r\n".join(lines), encoding="utf-8")


def cri(folder: Path) -> None:
    """Four messages: a home that changes; one noise and one signal example."""
    texts = ("I live in Lyon.", "I work as a carpenter.", "I moved from Lyon to Nantes.", "Thanks!")
    said = [
        {
            "message_id": number,
            "role": "user",
            "content": text,
            "timestamp": f"2025-05-0{number}T09:00:00",
        }
        for number, text in enumerate(texts, 1)
    ]
    truth = {
        "noise_examples": [{"text": "Thanks!"}],
        "signal_examples": [{"text": "I work as a carpenter."}],
        "conflicts": [{"conflict_id": "c1", "topic": "home", "introduced_at_messages": [1, 3]}],
        "changes": [{"fact": "home", "key_messages": [3]}, {"fact": "work", "key_messages": [2]}],
    }
    root = folder / "cri"
    root.mkdir(parents=True)
    lines = "".join(json.dumps(row) + "\n" for row in said)
    (root / "conversations.jsonl").write_text(lines, encoding="utf-8")
    tiny.written(root / "ground_truth.json", truth)


def everything(folder: Path) -> Path:
    for make in (halumem, clinc, prefeval, mempalace, sick, cri):
        make(folder)
    tiny.precision(folder / "precisionmembench")
    tiny.written(folder / "locomo" / "tiny.json", tiny.locomo())
    tiny.written(folder / "beam" / "tiny.json", tiny.beam())
    return folder
