"""The slot set: what it holds, the same every time, and no case that contradicts itself."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec
import pytest

from engraphy.benchmarks.slot_cases import (
    DuplicatePair,
    Language,
    RELATIONS,
    SUPERSEDING,
    SlotCase,
    duplicates,
    generated,
    hand,
    says,
)
from engraphy.benchmarks.slot_duplicates import lowered, raised
from engraphy.benchmarks.slot_templates import Family, Wordings, capitalised, filled, wordings

LANGUAGES: tuple[Language, ...] = ("en", "tr")
ALL = (*hand(), *generated())
TURKISH = set("çğıöşüÇĞİÖŞÜ")


def of(cases: Sequence[SlotCase], language: str) -> list[SlotCase]:
    return [case for case in cases if case.language == language]


def keeping(cases: Sequence[SlotCase]) -> float:
    return sum(case.relation not in SUPERSEDING for case in cases) / len(cases)


def forms(rows: Sequence[str | tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [(row,) if isinstance(row, str) else row for row in rows]


def test_the_hand_written_cases_are_enough_of_each_language() -> None:
    """At least 120 English and 60 Turkish cases, each relation in both, about half that keep."""
    assert len(of(hand(), "en")) >= 120
    assert len(of(hand(), "tr")) >= 60
    for language in LANGUAGES:
        assert {case.relation for case in of(hand(), language)} == set(RELATIONS)
    assert 0.45 <= keeping(hand()) <= 0.55


@pytest.mark.long
def test_the_generated_cases_are_enough_of_each_language() -> None:
    """At least 700 English and 240 Turkish cases, each relation in both, 45 % or more that keep."""
    assert len(of(generated(), "en")) >= 700
    assert len(of(generated(), "tr")) >= 240
    for language in LANGUAGES:
        own = of(generated(), language)
        assert {case.relation for case in own} == set(RELATIONS)
        assert keeping(own) >= 0.45
        assert min(Counter(case.relation for case in own).values()) >= 12


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_family_tells_a_change_in_eight_ways(language: Language) -> None:
    """No family has fewer wordings of a change than eight, and none twice."""
    for family in wordings(language).family:
        assert len(family.told["change"]) >= 8, family.name
        assert all(len(said) == len(set(said)) for said in family.told.values()), family.name


@pytest.mark.long
def test_a_seed_makes_the_same_every_time_and_another_one_others() -> None:
    """Cases and pairs follow from the seed alone."""
    assert generated(7) == generated(7)
    assert duplicates(7) == duplicates(7)
    assert set(generated(7)) != set(generated(8))
    assert set(duplicates(7)) != set(duplicates(8))


def test_no_two_cases_have_the_same_id_or_the_same_texts() -> None:
    """Ids and texts are unique over both sets."""
    ids = [case.id for case in ALL]
    texts = [(*(message.text for message in case.old), case.new.text) for case in ALL]
    assert len(ids) == len(set(ids))
    assert len(texts) == len(set(texts))


def formed(case: SlotCase) -> bool:
    if case.relation not in SUPERSEDING:
        held = any(says(message.text, case.current) for message in case.old)
        return held and not case.supersedes and not case.stale
    (place,) = case.supersedes
    told = says(case.new.text, case.current) if case.current else case.relation == "retraction"
    return told and says(case.old[place].text, case.stale)


def test_every_case_is_well_formed() -> None:
    """What is superseded held the stale value; the current one is told, or held and kept."""
    assert [case.id for case in ALL if not formed(case)] == []
    assert [case.id for case in ALL if not case.question.endswith("?")] == []
    assert [case.id for case in ALL if case.new.text != case.new.text.strip()] == []


def test_what_is_stale_is_never_current() -> None:
    """No stale string is in a current one or the other way round; the new message of a case
    without a current value says nothing stale."""
    for case in ALL:
        for stale in case.stale:
            assert not says(stale, case.current), case.id
            assert not any(says(current, (stale,)) for current in case.current), case.id
        assert case.current or not says(case.new.text, case.stale), case.id


def test_moments_are_in_order() -> None:
    """Dates rise from the oldest statement to the new one, with the earlier moment asked for
    after the value held was told and before the new one."""
    for case in ALL:
        days = [message.at for message in case.old if message.at is not None]
        assert days == sorted(days)
        if case.as_of is not None:
            last = case.old[case.supersedes[0]].at
            assert last is not None
            assert case.new.at is not None
            assert last < case.as_of < case.new.at


def test_what_was_held_before_a_change_is_asked_for() -> None:
    """Every change has an earlier value; no other relation has one."""
    assert all(bool(case.formerly) == (case.relation == "change") for case in ALL)


def test_nobody_of_whom_a_message_tells_was_told_of_before() -> None:
    """A generated case about something else finds no older statement that it could end."""
    for case in generated():
        if case.relation in {"other_subject", "numeric_near_miss"}:
            family = next(one for one in wordings(case.language).family if one.name == case.family)
            values = [row[0] for row in forms(family.values)]
            assert sum(says(message.text, values) for message in case.old) == 1, case.id


def blank(family: Family, told: Wordings) -> dict[str, dict[str, str]]:
    value = dict.fromkeys(family.forms, "V")
    spelt = dict.fromkeys("abc", value)
    spelt["p"] = dict.fromkeys(told.people_forms, "P")
    if family.subjects:
        spelt |= {place: dict.fromkeys(family.subject_forms, "S") for place in "st"}
    return spelt


def every(family: Family) -> Iterator[str]:
    yield from (*family.held, *family.beside, *family.questions, family.mark)
    for said in family.told.values():
        yield from said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_wording_can_be_filled(language: Language) -> None:
    """No wording names a place or a form that its family does not have."""
    told = wordings(language)
    common = [wording for said in told.common.values() for wording in said]
    for family in told.family:
        for wording in (*every(family), *common):
            text = filled(wording, blank(family, told))
            assert not set(text) & set("{}"), wording


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_has_all_forms_and_no_value_is_part_of_another(language: Language) -> None:
    """A value is spelt in as many forms as its family names, and is told apart from the others."""
    for family in wordings(language).family:
        rows = forms(family.values)
        assert all(len(row) in {1, len(family.forms)} for row in rows)
        assert all(len(row) in {1, len(family.subject_forms)} for row in forms(family.subjects))
        spelt = [dict(zip(family.forms, row * len(family.forms), strict=False)) for row in rows]
        marks = [filled(family.mark, {"a": one}) for one in spelt]
        for mark in marks:
            assert sum(says(other, (mark,)) for other in marks) == 1, (family.name, mark)
        assert not any(says(aside, marks) for aside in wordings(language).asides), family.name
        assert {one for pair in family.near for one in pair} <= {row[0] for row in rows}


BACK, FRONT = set("aıou"), set("eiöü")
ENDING = re.compile(r"^(.*)'(?:[ydt]?([aeıiuü])n?)$")


def test_suffixes_after_an_apostrophe_follow_the_last_vowel() -> None:
    """Turkish place, name and month suffixes have a back vowel after a back one, a front one after
    a front one; numbers and foreign words are read out and are left to the eye."""
    natives = ("city", "owner", "deadline", "pet_name", "project_name")
    checked = 0
    for family in wordings("tr").family:
        if family.name not in natives:
            continue
        for row in forms(family.values):
            vowels = [letter for letter in row[0].lower() if letter in BACK | FRONT]
            for form in row[1:]:
                if found := ENDING.match(form):
                    assert (found[2] in BACK) == (vowels[-1] in BACK), form
                    checked += 1
    assert checked >= 60


def test_turkish_cases_are_written_in_turkish_letters() -> None:
    """Nearly every Turkish case has letters that only Turkish has, and no English one has."""
    turkish = [bool(set(text(case)) & TURKISH) for case in ALL if case.language == "tr"]
    assert sum(turkish) / len(turkish) > 0.98
    assert not any(set(text(case)) & TURKISH for case in of(generated(), "en"))


def text(case: SlotCase) -> str:
    return " ".join((*(message.text for message in case.old), case.new.text, case.question))


def test_capitals_are_turkish_in_turkish() -> None:
    """A dotted i has a dotted capital, a dotless one has none."""
    assert capitalised("işim bitti", "tr") == "İşim bitti"
    assert capitalised("ısındım", "tr") == "Isındım"
    assert capitalised("i moved", "en") == "I moved"
    assert (lowered("Ilık İZMİR", "tr"), raised("ılık izmir", "tr")) == ("ılık izmir", "ILIK İZMİR")


def test_a_string_is_said_as_a_word_and_not_as_part_of_a_number() -> None:
    """Words begin where the string does; a suffix may follow, another digit may not."""
    assert says("We moved to ankara'ya", ("Ankara",))
    assert says("kahveyi severim", ("kahve",))
    assert not says("we use pnpm", ("npm",))
    assert not says("port 30001", ("3000",))
    assert not says("13 Mart'ta", ("3 Mart",))
    assert not says("anything", ())


def of_kind(pairs: Sequence[DuplicatePair], same: bool) -> list[DuplicatePair]:
    return [pair for pair in pairs if pair.same is same]


def test_there_are_enough_pairs_of_both_sorts() -> None:
    """At least 300, in both languages, about as many that are the same as that are not."""
    pairs = duplicates()
    assert len(pairs) >= 300
    assert len({pair.id for pair in pairs}) == len(pairs)
    for language in LANGUAGES:
        own = [pair for pair in pairs if pair.language == language]
        assert 0.4 <= len(of_kind(own, True)) / len(own) <= 0.6
    apart = {pair.kind for pair in of_kind(pairs, False)}
    assert apart == {"number", "name", "negation", "version", "unit", "person", "date"}


def plain(text: str) -> str:
    letters = text.casefold().replace("i̇", "i").replace("ı", "i")
    return re.sub(r"[\W_]+", "", letters)


def test_a_pair_differs_only_where_its_kind_says() -> None:
    """Only an exact pair is letter for letter the same; a change of dress leaves the letters."""
    for pair in duplicates():
        assert (pair.a == pair.b) == (pair.kind == "exact")
        if pair.kind in {"case", "punctuation", "whitespace"}:
            assert plain(pair.a) == plain(pair.b)
        if pair.kind in {"filler", "numeral"}:
            short, long = sorted((plain(pair.a), plain(pair.b)), key=len)
            assert short in long
            assert re.findall(r"\d+", pair.a) == re.findall(r"\d+", pair.b)
        if not pair.same:
            assert plain(pair.a) != plain(pair.b)


def test_an_unknown_field_in_the_data_is_refused() -> None:
    """The files are read strictly: a misspelt name is an error, not a case left out."""
    row = {"name": "x", "values": ["a"], "held": ["{a}"], "questions": ["?"], "told": {}}
    assert msgspec.convert(row, Family).name == "x"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**row, "bside": []}, Family)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**row, "told": {"chnge": ["a"]}}, Family)


def test_what_only_rises_never_falls() -> None:
    """A version that is upgraded and a price that is raised are higher afterwards."""
    for case in generated():
        family = next(one for one in wordings(case.language).family if one.name == case.family)
        if family.rising and case.relation == "change":
            values = [row[0] for row in forms(family.values)]
            assert values.index(case.stale[0]) < values.index(case.current[0]), case.id
