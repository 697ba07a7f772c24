"""What weeks of talk leave: nothing ends that no change is about, and what is left can be read."""

import pytest
from tests.engine.conftest import Opening

from engraphy import Memory
from engraphy.model import Memory as Kept

DAY = "2026-04-18T09:00"
LATER = "2026-04-28T09:00"


def tell(memory: Memory, said: str, at: str) -> Kept | None:
    """The memory that a message of the user's became."""
    (outcome,) = memory.observe([{"role": "user", "content": said}], user="u", at=at)
    return outcome.memory


def active(opening: Opening, *told: str) -> list[str]:
    """The memories that hold after these messages, the last of them told ten days later."""
    with opening() as memory:
        for one in told[:-1]:
            tell(memory, one, DAY)
        tell(memory, told[-1], LATER)
        return [row.content for row in memory.list(user="u", limit=100)]


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("I'm taking Spanish this term", "Priya dropped Spanish"),
        ("I take warfarin, 3 mg", "Karl stopped taking warfarin because of the bleeding"),
        ("Swimming is on Tuesdays at 4", "Max has stopped swimming, he does judo instead"),
        ("I'm vegetarian", "Lena is no longer vegetarian"),
        ("I go to the gym on Mondays", "Tom gave up the gym"),
        ("I live in Berlin", "Mia moved from Berlin to Porto"),
        ("I use Vim", "Ravi switched from Vim to Helix"),
        ("I run on Mondays", "Kim runs on Tuesdays now"),
        ("My exam is on May 19", "Oli's exam is on May 20 now"),
        ("Kahve içiyorum", "Ayşe artık kahve içmiyor"),
        ("my husband Karl takes warfarin, 3 mg", "I've lost 3 kilos, 81 now"),
    ],
)
def test_somebody_elses_change(opening: Opening, held: str, told: str) -> None:
    """What somebody else gives up or changes ends nothing of the speaker's, nor the other way."""
    assert held in active(opening, held, told)


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("Karl takes warfarin", "Karl stopped taking warfarin"),
        ("Tom runs the team", "Tom left the team"),
        ("Our contact is Tom", "Tom left, Ann is our contact now"),
        ("I take warfarin", "I stopped taking warfarin"),
        ("We use Redis", "We dropped Redis"),
        ("Kahve içiyorum", "Kahveyi bıraktım"),
    ],
)
def test_ones_own_change(opening: Opening, held: str, told: str) -> None:
    """Who gives up what is told of them ends it."""
    assert held not in active(opening, held, told)


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("Opening hours: Tue-Fri 9-18, Sat 9-16, closed Sunday and Monday.", "Comté goes up to 34"),
        ("run 17: 0.768", "champion is run 23 now"),
        (
            "Run 14 with LightGBM got AUC 0.791, learning rate 0.05, 800 trees.",
            "run 15: AUC 0.772 on the new label, so what was before isn't comparable",
        ),
        ("the pound is at 195 yen", "TeamLab instead, same day, 3,800 yen"),
        ("Next appointment there June 23, 9:00", "MRI is now on June 26 at 7:30"),
        ("Defne'nin fıstığa alerjisi var", "Defne'nin balesi artık Perşembe günleri"),
        (
            "The dentist is Dr Quinn at Bright Smiles",
            "Dr Patel has retired. We're with Dr Lowe now.",
        ),
        ("We keep the g5 only for training", "wait, run 25 was evaluated on train. It's 0.789."),
    ],
)
def test_a_like_value_is_no_change(opening: Opening, held: str, told: str) -> None:
    """A number, a unit, a day, a title or a name in common makes no two statements one."""
    assert held in active(opening, held, told)


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("The timeout is 2 seconds", "The timeout is 5 seconds now"),
        ("Budget is 4,500 pounds altogether", "budget up to 5,200"),
        ("champion is run 19", "champion is run 23 now"),
        ("Dr Patel is our GP", "Our GP is Dr Lowe now"),
        ("Defne'nin balesi Salı günleri", "Defne'nin balesi artık Perşembe günleri"),
    ],
)
def test_another_value_is_a_change(opening: Opening, held: str, told: str) -> None:
    """Another value of the same thing takes the place of the old one."""
    assert held not in active(opening, held, told)


@pytest.mark.parametrize(
    ("held", "told", "left"),
    [
        (
            "The orders service runs on port 8080 and is deployed to eu-west-1 on EKS.",
            "Moved orders to port 8443 because of TLS.",
            "The orders service is deployed to eu-west-1 on EKS.",
        ),
        (
            "It's written in Go 1.22, the database is Postgres 15, cache is Redis 7.",
            "We upgraded the database to Postgres 16 over the weekend.",
            "It's written in Go 1.22. Cache is Redis 7.",
        ),
        (
            "batch scoring runs nightly at 2:00, takes 35 minutes",
            "scoring moved to 4:30",
            "Batch scoring takes 35 minutes.",
        ),
        (
            "We use Python 3.10, Postgres 14 and Redis 6",
            "we've moved to python 3.12",
            "We use Postgres 14, Redis 6.",
        ),
    ],
)
def test_what_is_left_can_be_read(opening: Opening, held: str, told: str, left: str) -> None:
    """What a change leaves of a sentence keeps its subject and what stood before."""
    assert left in active(opening, held, told)


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (
            "Our Comté comes from Maison Dubois, Stilton from Colston, goat cheese from Fenwick.",
            "Comté comes from Neal's now.",
        ),
        (
            "I work at the library on Saturdays, 14 dollars an hour",
            "library shifts are now Saturday and Sunday",
        ),
        (
            "Fenwick Farm delivers on Wednesdays, minimum order 80 pounds",
            "Fenwick's minimum is 120 now",
        ),
        (
            "Dr Patel is our GP, the dentist is Dr Quinn at Bright Smiles",
            "Dr Patel has retired. We're with Dr Lowe now.",
        ),
        ("Office hours: Mon-Thu 9-17, Fri 9-13", "Friday hours are now 9-12"),
    ],
)
def test_what_cannot_be_cut_stays(opening: Opening, held: str, told: str) -> None:
    """A sentence of which a part is over, and whose other parts cannot stand alone, stays beside
    what is newer, and is marked."""
    with opening() as memory:
        old = tell(memory, held, DAY)
        tell(memory, told, LATER)
        assert old is not None
        assert old.id in {row.id for row in memory.list(user="u")}


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("our car is a blue Skoda, the MOT is due on 3 June", "Skoda"),
        ("Invoice 1042 to Kite & Co over 2,400 EUR went out today, due on June 4.", "2,400"),
        ("Ben works at the harbour, his contract expires on 1 June.", "harbour"),
    ],
)
def test_an_end_beside_what_lasts(opening: Opening, told: str, asked: str) -> None:
    """What is due on a day does not take with it what was told beside it."""
    with opening() as memory:
        assert (kept := tell(memory, told, DAY)) is not None
        assert kept.valid_until is None
        assert any(asked in hit.memory.content for hit in memory.recall(asked, user="u"))


@pytest.mark.parametrize(
    "told",
    ["I'm going to see the lawyer on May 27", "I have a dentist appointment on May 20"],
)
def test_an_announcement_ends(opening: Opening, told: str) -> None:
    """What only tells of a day that comes holds until then."""
    with opening() as memory:
        assert (kept := tell(memory, told, DAY)) is not None
        assert kept.valid_until is not None


def test_a_part_without_the_day(opening: Opening) -> None:
    """What is left of an announcement once its day has moved does not end with the old day."""
    rows = active(
        opening,
        "Diş doktorum Aylin Hanım, randevum 20 Mayıs saat 14:00",
        "Diş randevusu 27 Mayıs'a alındı",
    )
    assert "Diş doktorum Aylin Hanım." in rows


def test_ages_of_several(opening: Opening) -> None:
    """Each age is of whom it is told, in Turkish as in English; a child's ends no parent's."""
    with opening() as memory:
        memory.remember("Kızımız Defne 8 yaşında, oğlumuz Kaan 5 yaşında.", user="u", at=DAY)
        memory.remember("34 yaşına girdim", user="u", at=DAY)
        memory.remember("Kaan 6 yaşına girdi", user="u", at=LATER)
        assert "34 yaşına girdim" in [one.content for one in memory.list(user="u")]
        ages = {one.subject: one.object for one in memory.facts(predicate="age", user="u")}
        assert ages == {"defne": "8", "kaan": "6", "user": "34"}


def test_a_correction_names_what_it_corrects(opening: Opening) -> None:
    """A correction that names its own matter does not end another that was told last."""
    with opening() as memory:
        for at, one in enumerate(
            (
                "MRI result: meniscus tear, left knee. No surgery for now.",
                "physio is on Thursdays now, Mr Lang changed his hours",
                "Correction: the tear's in the right knee, I mixed it up",
            )
        ):
            tell(memory, one, f"2026-04-28T09:0{at}")
        assert any("physio" in row.content for row in memory.list(user="u"))
