"""How values are shown: no text hides anything, no picture leaves its frame."""

import html
import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from engraphy.dashboard.charts import bars, columns, curve, place, stack
from engraphy.dashboard.diffing import difference
from engraphy.dashboard.showing import ago, brief, knob, plural, predicate, size
from engraphy.dashboard.visible import linked, referred, visible

TAG = re.compile(r"<[^>]*>")
LINK = re.compile(r'<a href="([^"]*)"')
NUMBERS = st.lists(st.floats(0, 1e9), max_size=20)
HIDDEN = "\u202e\u2066\u200b\u200d\u2028\ufeff\u00ad\u0000\u001b\U000e0041\u3164"
TEXTS = st.text() | st.text(alphabet=HIDDEN + "ab <>&'\"/:.é👩")


@given(TEXTS)
def test_nothing_of_a_text_is_hidden_or_lost(text: str) -> None:
    """Without its marks it is the text again, but for what would not be seen, which stands as its
    code; no sign of it opens a tag."""
    told = str(visible(text))
    glyphs = re.sub(r'<span class="glyph"[^>]*>U\+(\w+)</span>', r"\\u{\1}", told)
    assert not TAG.search(glyphs)
    shown = re.sub(r"\\u\{(\w+)\}", lambda hole: chr(int(hole[1], 16)), html.unescape(glyphs))
    assert shown == text or "\\u{" in text
    left = html.unescape(TAG.sub("", told))
    allowed = set("\n\t\u200c\u200d")
    assert not [s for s in left if unicodedata.category(s) in ("Cc", "Cf") and s not in allowed]


@given(TEXTS | st.from_regex(r"(https?|javascript|data)://?[\w.@/\"'<>\u202e-]{1,20}"))
def test_only_web_addresses_become_links(text: str) -> None:
    """A link is http or https, in plain signs, and tells nobody where it was followed from."""
    told = str(linked(text))
    for address in LINK.findall(told):
        assert address.startswith(("http://", "https://")) or address[:8].lower() == "https://"
        assert address.isascii()
        assert '"' not in address
    assert told.count("<a ") == told.count("noreferrer")


def test_emoji_and_scripts_keep_their_joiners() -> None:
    """A family and Persian words are not torn apart; the same signs in plain text are marked."""
    assert "glyph" not in visible("👩\u200d👩\u200d👧 می\u200cخواهم ❤\ufe0f")
    assert "glyph" in visible("pass\u200dword")


@given(NUMBERS)
def test_pictures_stay_in_their_frames(values: list[float]) -> None:
    """Bars, columns, pieces and lines lie within 100 by 100, whatever the numbers."""
    named = {f"n{number}": value for number, value in enumerate(values)}
    assert all(0 <= one.width <= 100 for one in bars(named))
    assert all(one.x >= 0 and one.x + one.width <= 100.1 for one in stack(named))
    for one in columns(list(named.items())):
        assert 0 <= one.x <= 100
        assert one.x + one.width <= 100.1
        assert 0 <= one.y <= 100
        assert one.height + one.y <= 100.1
    points = re.findall(r"[\d.]+", curve(values).path)
    assert all(0 <= float(point) <= 100 for point in points)


@given(st.floats(-1e18, 1e18), st.floats(-1e18, 1e18), st.floats(-1e18, 1e18))
def test_a_place_is_on_its_line(value: float, start: float, end: float) -> None:
    """A moment outside of a span stands at its end."""
    assert 0 <= place(value, start, end) <= 100


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_difference_tells_both_texts(before: str, after: str) -> None:
    """Without what was put in it is the earlier text, without what was taken out the later one."""
    told = str(difference(before, after))
    new = re.sub(r"<del>.*?</del>", "", told, flags=re.DOTALL).replace("<ins>", "")
    old = re.sub(r"<ins>.*?</ins>", "", told, flags=re.DOTALL).replace("<del>", "")
    assert old.replace("</del>", "") == str(visible(before))
    assert new.replace("</ins>", "") == str(visible(after))


@given(st.integers(-(2**53), 2**53), st.integers(-(2**53), 2**53), st.text(max_size=900))
def test_values_are_told_in_few_words(at: int, now: int, text: str) -> None:
    """Moments are relative, and long texts end in a sign that they go on."""
    assert ago(at, now).endswith(("ago", "now")) or ago(at, now).startswith("in ")
    assert len(brief(text, 40)) <= 40
    assert size(abs(at)).split()[1] in ("bytes", "kB", "MB", "GB", "TB")


def test_what_comes_is_not_told_a_day_early() -> None:
    """A moment that comes is told by the nearest day or hour, one that was by those that are over:
    noon in a week is no "in 6 days" the afternoon before."""
    day, hour = 86_400_000_000, 3_600_000_000
    assert ago(7 * day - 5 * hour, 0) == "in 7 days"
    assert ago(day + 2 * hour, 0) == "in 1 day"
    assert ago(0, 2 * day - 5 * hour) == "1 day ago"


def test_one_of_a_thing_is_told_as_one() -> None:
    """A count has its thing in the right number, and groups of thousands."""
    assert [plural(n, "change") for n in (0, 1, 2)] == ["0 changes", "1 change", "2 changes"]
    assert plural(1, "memory", "memories") == "1 memory"
    assert plural(1_200, "memory", "memories") == "1,200 memories"


def test_values_are_told_without_signs_of_the_code() -> None:
    """A knob that is not set, is off, or is a list is told in words; so is a fact's predicate."""
    assert [knob(one) for one in (None, False, [], 0.5)] == ["not set", "false", "none", "0.5"]
    assert knob(["decay", "trim"]) == "decay, trim"
    assert knob({"fact": 0.005}) == "fact 0.005"
    assert predicate("uses:editor@editor") == "uses editor"
    assert predicate("works_at") == "works at"


def test_ids_of_memories_in_a_text_become_links() -> None:
    """And nothing else: not the beginning of something longer, and no sign of it opens a tag."""
    row = "01M77K6B8224TJQM8CZ0KKACXH"
    told = str(referred(f"<b> it is superseded by {row}, {row}X"))
    assert told.count(f'href="/memories/{row}"') == told.count("<a ") == 1
    assert "&lt;b&gt;" in told
    assert f"{row}X" in told
