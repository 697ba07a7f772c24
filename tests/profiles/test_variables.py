"""The variables of document 003: names, defaults, ranges and what they do (C-07)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import DAY, Ticks, kept, texts

from engraphy import Memory
from engraphy.errors import ProfileError, SettingsError
from engraphy.model import Action
from engraphy.profile import load, tables
from engraphy.profile.variables import allowed
from engraphy.settings import settings

__all__ = ["clock", "opening"]

Setting = Callable[..., Memory]
DEFAULTS: dict[str, Any] = {
    "MEMORY_ENABLED": True,
    "MEMORY_RETRIEVAL_LIMIT": 5,
    "MEMORY_SURPRISE_THRESHOLD": 0.3,
    "MEMORY_MAX_AGE_DAYS": 90,
    "MEMORY_MAX_COUNT": 10_000,
    "MEMORY_DECAY_ENABLED": True,
    "MEMORY_DECAY_HALF_LIFE": 30,
    "MEMORY_INCLUDE_GLOBAL": True,
    "MEMORY_INJECTION_FORMAT": "system",
    "MEMORY_EXTRACTION_ENABLED": True,
    "MEMORY_FORMAT": "compact",
    "MEMORY_DEDUP_ENABLED": True,
    "MEMORY_DEDUP_LOOKBACK": 5,
}
ALLOWED = {
    "MEMORY_RETRIEVAL_LIMIT": ("1", "20"),
    "MEMORY_SURPRISE_THRESHOLD": ("0", "0.0", "1", "1.0", "0.15"),
    "MEMORY_MAX_AGE_DAYS": ("1", "30", "36500"),
    "MEMORY_MAX_COUNT": ("1", "5000"),
    "MEMORY_DECAY_HALF_LIFE": ("0.5", "7", "36500"),
    "MEMORY_INCLUDE_GLOBAL": ("true", "false", "TRUE", "False", "1", "0", "yes", "no", " on "),
    "MEMORY_INJECTION_FORMAT": ("system", "assistant_preamble"),
    "MEMORY_FORMAT": ("compact", "detailed"),
    "MEMORY_DEDUP_LOOKBACK": ("0", "100"),
}
REFUSED = {
    "MEMORY_ENABLED": ("maybe", "2", "truely"),
    "MEMORY_RETRIEVAL_LIMIT": ("0", "21", "-1", "5.0", "five", "1e1", "\u0665", "0x5"),
    "MEMORY_SURPRISE_THRESHOLD": ("-0.1", "1.1", "nan", "inf", "0,3", ".3"),
    "MEMORY_MAX_AGE_DAYS": ("0", "36501", "90d"),
    "MEMORY_MAX_COUNT": ("0", "1000000001", "10_000"),
    "MEMORY_DECAY_HALF_LIFE": ("0", "36501", "-30"),
    "MEMORY_DECAY_ENABLED": ("off!",),
    "MEMORY_INCLUDE_GLOBAL": ("none",),
    "MEMORY_INJECTION_FORMAT": ("tail", "System", "memory-context"),
    "MEMORY_EXTRACTION_ENABLED": ("-",),
    "MEMORY_FORMAT": ("json", "full"),
    "MEMORY_DEDUP_ENABLED": ("5",),
    "MEMORY_DEDUP_LOOKBACK": ("-1", "101", "5 messages"),
}
SAID = [{"role": "user", "content": "I prefer Python for data processing"}]


@pytest.fixture
def setting(opening: Opening, monkeypatch: pytest.MonkeyPatch) -> Setting:
    """Opens a memory in profile `titans` under variables of the environment."""

    def make(name: str = "store", *, profile: Any = "titans", **variables: str) -> Memory:
        with monkeypatch.context() as patch:
            for key, value in variables.items():
                patch.setenv(f"MEMORY_{key}", value)
            return opening(name, profile=profile)

    return make


def refused(setting: Setting, **variables: str) -> str:
    """The message of the error that such variables end in."""
    with pytest.raises(SettingsError) as caught:
        setting(**variables)
    return str(caught.value)


@pytest.mark.spec("C-07")
def test_every_variable_of_the_document_is_known() -> None:
    """All thirteen, each with the default that the document states, and none besides."""
    told = {one.name: one.default for one in tables()["titans"]}
    assert told == DEFAULTS


@pytest.mark.spec("C-07")
def test_without_a_variable_its_default_holds() -> None:
    """What the profile says by itself is what the document calls the default."""
    titans = load("titans")
    [relevant] = titans.inject.layers
    held = (relevant.quota, titans.gate.threshold, titans.write.default_ttl_days,
            titans.write.max_memories, titans.score.importance_half_life_days,
            titans.sessions.include_global, titans.inject.format, titans.inject.detail,
            titans.inject.lookback, bool(titans.inject.layers),
            bool(titans.write.observe_roles))  # fmt: skip
    assert held == (5, 0.3, 90, 10_000, 30, True, "system", "compact", 5, True, True)


@pytest.mark.parametrize("name", ALLOWED)
def test_both_ends_of_a_range_are_allowed(setting: Setting, name: str) -> None:
    """A value inside the range opens the memory."""
    for number, value in enumerate(ALLOWED[name]):
        key = name.removeprefix("MEMORY_")
        assert setting(f"open{number}", **{key: value}).list() == []


@pytest.mark.spec("C-07")
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_out_of_range_or_unreadable_is_refused_at_the_start(
    setting: Setting, tmp_path: Path, name: str
) -> None:
    """The error names the variable, what it says and what is allowed; no file is made."""
    for value in REFUSED[name]:
        told = refused(setting, **{name.removeprefix("MEMORY_"): value})
        assert name in told
        assert repr(value) in told
        assert "is not allowed: " in told
    assert not list(tmp_path.glob("*.db"))


def test_an_error_says_the_range(setting: Setting) -> None:
    """In words: from where to where, or which words."""
    assert "a whole number from 1 to 20" in refused(setting, RETRIEVAL_LIMIT="21")
    assert "a number from 0 to 1" in refused(setting, SURPRISE_THRESHOLD="2")
    assert "system or assistant_preamble" in refused(setting, INJECTION_FORMAT="tail")
    assert "true or false" in refused(setting, ENABLED="2")


def test_the_limit_is_how_many_are_injected(setting: Setting) -> None:
    """MEMORY_RETRIEVAL_LIMIT."""
    few, many = setting("few", RETRIEVAL_LIMIT="2"), setting("many", RETRIEVAL_LIMIT="7")
    for memory in (few, many):
        for number in range(9):
            memory.remember(f"The parser reads tokens of file {number}")
    assert len(few.context("what does the parser read?").hits) == 2
    assert len(many.context("what does the parser read?").hits) == 7


def test_the_threshold_decides_what_is_stored(setting: Setting) -> None:
    """MEMORY_SURPRISE_THRESHOLD: lower stores more, higher only what is novel."""
    counts = []
    for name, threshold in (("low", "0.0"), ("middle", "0.5"), ("high", "1.0")):
        memory = setting(name, SURPRISE_THRESHOLD=threshold)
        memory.observe([*SAID, {"role": "user", "content": "The kitchen has a table"}])
        counts.append(len(memory.list()))
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 2
    assert counts[-1] == 0


def test_the_age_ends_a_memory(setting: Setting, clock: Ticks) -> None:
    """MEMORY_MAX_AGE_DAYS: older ones are over, pinned ones stay."""
    memory = setting(MAX_AGE_DAYS="30")
    memory.remember("The parser reads tokens")
    memory.remember("The parser has a name", pinned=True)
    clock.pass_days(29.9)
    assert len(memory.list()) == 2
    clock.pass_days(0.2)
    assert texts(memory.list()) == ["The parser has a name"]


@pytest.mark.spec("C-09")
@pytest.mark.parametrize(("variables", "shares"), [
    ({}, [1.0, 0.5, 0.25, 0.125]),
    ({"DECAY_HALF_LIFE": "60"}, [1.0, 0.7071, 0.5, 0.3536]),
    ({"DECAY_ENABLED": "false"}, [1.0, 1.0, 1.0, 1.0]),
    ({"DECAY_ENABLED": "false", "DECAY_HALF_LIFE": "1"}, [1.0, 1.0, 1.0, 1.0]),
])  # fmt: skip
def test_importance_halves_with_the_half_life(
    setting: Setting, clock: Ticks, variables: dict[str, str], shares: list[float]
) -> None:
    """MEMORY_DECAY_HALF_LIFE and MEMORY_DECAY_ENABLED: 1.0, 0.5 at 30 days, 0.25 at 60, 0.125 at
    90."""
    memory = setting(MAX_AGE_DAYS="365", **variables)
    memory.remember("The parser reads tokens", importance=1.0)
    found = []
    for _ in range(4):
        [hit] = memory.recall("parser", touch=False)
        found.append(hit.why["importance"])
        clock.pass_days(30)
    assert [one / found[0] for one in found] == pytest.approx(shares, abs=2e-3)


@pytest.mark.spec("C-12")
def test_global_memories_can_be_hidden(setting: Setting) -> None:
    """MEMORY_INCLUDE_GLOBAL."""
    for value, seen in (("true", 2), ("false", 1)):
        memory = setting(value, INCLUDE_GLOBAL=value)
        memory.remember("The parser reads tokens")
        memory.remember("The parser has a name", session="s1")
        assert len(memory.recall("parser", session="s1")) == seen


@pytest.mark.spec("C-06")
def test_the_place_of_the_block(setting: Setting) -> None:
    """MEMORY_INJECTION_FORMAT."""
    for name, role in (("system", "system"), ("assistant_preamble", "assistant")):
        memory = setting(name, INJECTION_FORMAT=name)
        memory.remember("The parser reads tokens")
        asked = [{"role": "user", "content": "what does the parser read?"}]
        made = memory.inject(asked).messages
        assert [one["role"] for one in made if "tokens" in str(one["content"])] == [role]


@pytest.mark.spec("C-06")
def test_how_much_is_told_of_a_memory(setting: Setting) -> None:
    """MEMORY_FORMAT: detailed says more than compact."""
    blocks = []
    for name in ("compact", "detailed"):
        memory = setting(name, FORMAT=name)
        memory.remember("The parser reads tokens")
        blocks.append(memory.context("what does the parser read?").tokens)
    assert blocks[0] < blocks[1]


@pytest.mark.spec("C-11")
@pytest.mark.parametrize(("variables", "injected"), [
    ({}, False),
    ({"DEDUP_LOOKBACK": "3"}, True),
    ({"DEDUP_LOOKBACK": "4"}, False),
    ({"DEDUP_LOOKBACK": "0"}, True),
    ({"DEDUP_ENABLED": "false"}, True),
    ({"DEDUP_ENABLED": "false", "DEDUP_LOOKBACK": "5"}, True),
])  # fmt: skip
def test_what_the_last_messages_show_is_not_injected_again(
    setting: Setting, variables: dict[str, str], injected: bool
) -> None:
    """MEMORY_DEDUP_LOOKBACK and MEMORY_DEDUP_ENABLED."""
    memory = setting(**variables)
    memory.remember("The parser reads tokens")
    recent = ["The parser reads tokens", "one", "two", "three"]
    block = memory.context("what does the parser read?", recent=recent)
    assert bool(block.hits) is injected


def test_without_deduplication_a_conversation_is_given_it_every_time(setting: Setting) -> None:
    """MEMORY_DEDUP_ENABLED=false also looks past what was just given."""
    for value, again in (("true", 0), ("false", 1)):
        memory = setting(value, DEDUP_ENABLED=value)
        memory.remember("The parser reads tokens")
        memory.context("what does the parser read?", session="s1")
        block = memory.context("what does the parser read?", session="s1")
        assert len(block.hits) == again


@pytest.mark.parametrize("name", ["EXTRACTION_ENABLED", "ENABLED"])
def test_watching_can_be_turned_off(setting: Setting, name: str) -> None:
    """Nothing of a conversation is kept; what is added by hand is."""
    memory = setting(**{name: "false"})
    assert {one.action for one in memory.observe(SAID)} == {Action.SKIPPED}
    assert memory.remember("The parser reads tokens").action is Action.CREATED
    assert texts(memory.recall("parser")) == ["The parser reads tokens"]
    injected = memory.context("what does the parser read?").hits
    assert bool(injected) is (name == "EXTRACTION_ENABLED")
    assert setting("on").observe(SAID)[0].action is Action.CREATED


def test_the_variables_are_of_this_profile_only(setting: Setting, tmp_path: Path) -> None:
    """Other profiles never look at them, one that inherits this one does."""
    assert setting("other", profile="default", RETRIEVAL_LIMIT="900").list() == []
    own = tmp_path / "mine.toml"
    own.write_text('inherits = "titans"\n', encoding="utf-8")
    with pytest.raises(SettingsError, match="MEMORY_RETRIEVAL_LIMIT"):
        setting("own", profile=own, RETRIEVAL_LIMIT="900")
    own.write_text('inherits = "titans"\n[inject]\nlayers = []\n', encoding="utf-8")
    with pytest.raises(SettingsError, match="the profile has no relevant among its layers"):
        setting("own", profile=own, RETRIEVAL_LIMIT="9")


def test_a_caller_has_the_last_word(opening: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Overrides lie on top of what variables say, knob by knob; an empty variable says nothing."""
    monkeypatch.setenv("MEMORY_SURPRISE_THRESHOLD", "1.0")
    monkeypatch.setenv("MEMORY_MAX_AGE_DAYS", "30")
    monkeypatch.setenv("MEMORY_RETRIEVAL_LIMIT", "")
    memory = opening(profile="titans", overrides={"gate": {"threshold": 0.0}})
    [outcome] = memory.observe(SAID)
    row = kept(outcome)
    assert row.expires_at is not None
    assert row.expires_at - row.recorded_at == 30 * DAY
    with pytest.raises(ProfileError):
        opening(profile="titans", overrides=["gate"])


def test_the_page_says_what_the_table_says() -> None:
    """Each variable stands on the page with its default and what is allowed."""
    page = Path("docs/tasks/conversations-apart.md").read_text(encoding="utf-8")
    for one in tables()["titans"]:
        default = str(one.default).lower()
        assert f"| `{one.name}` | {default} | {allowed(one)} |" in page


def test_variables_are_read_by_name_and_only_those() -> None:
    """The settings hold what the documents name and nothing else of the environment."""
    told = settings({"MEMORY_FORMAT": "detailed", "MEMORY_OTHER": "x", "HOME": "/home/ada"})
    assert told.variables == {"MEMORY_FORMAT": "detailed"}
