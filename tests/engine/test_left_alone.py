"""What a change does not touch: what follows from what was told, what is said to stay, things that
only share a part of a name with it, what is counted beside it, small words of another language."""

import pytest
from tests.engine.conftest import Shared, Standing

STAYS = [
    ("Lea's moved ballet to saturdays at 11", "which means i can't swim saturdays anymore"),
    ("we moved the standup to 9:30", "that means i no longer make the early train"),
    ("Tom changed the lock on the shed", "that's why my key doesn't work anymore"),
    ("the nursery closes at 4 from june", "which is why i stopped working late"),
    ("my shift moved to nights", "because of that i quit the choir"),
    ("the bus 12 no longer stops here", "so that means i switched to the tram"),
    ("toplantı artık salı günleri", "bu yüzden salı yüzmeyi bıraktım"),
    ("Spotify family goes up to 21.99 in june", "cancelled Deezer too, only spotify left"),
    ("we take the Guardian on weekends", "dropped the Times, we keep the Guardian"),
    ("I'm reading Dune", "Dune was a bad idea for the book club"),
    ("we use postgres for everything", "mysql was a bad idea, glad we left it"),
    ("our Octopus tariff is fixed until May", "switched the gas away, sticking with Octopus"),
    ("Redis runs on the same box", "got rid of memcached, redis stays"),
    ("the cello lessons are on Monday", "no more piano for Ida, just the cello lessons left"),
    ("the loft is let to a student", "sold the garage, only the loft is left"),
    ("sentry project is shop-api, sampling 0.2", "slack channel got renamed to #shop-alerts"),
    ("the repo shop-web needs node 20", "the alerts go to #shop-ops now"),
    ("the api answers within 60 ms", "we have two api instances now"),
    ("our shop opens at 9", "we have three shop assistants now"),
    ("Dr Kapur has left the practice", "changed my mind on Disney, cancelled it, only Sky is left"),
    ("rent of the shop is 1450 a month", "insurance for the shop is with Ethias, policy 44-8812"),
    ("the code for the gate is 4471", "the lamp at the gate is out since Monday"),
    ("Anna wants fridays off from april", "Peter can't do saturdays after all, sundays only"),
    ("meine Miete ist gerade 890 warm", "dropped my phone, das Display ist hin, iPhone 13"),
    ("der Schlüssel ist beim Nachbarn", "switched the bank, die neue ist in Bonn"),
    ("die Katze ist beim Tierarzt", "cancelled the gym, das war mir zu teuer"),
    (
        "Crate 1-1 of the shed is kept at place 1001 zone1 row1b1",
        "Crate 1-2 of the shed is kept at place 1002 zone2 row1b2",
    ),
    ("Crate 1 is kept at place 1001", "Crate A-1 is kept at place 1001"),
    ("Araba garajda duruyor", "Araba geçen hafta yıkandı"),
    ("Keman çalışma odasında duruyor", "Keman geçen hafta temizlendi"),
    ("Kapı açıldı çünkü rüzgar esti", "Rüzgar esti, pencere kapandı"),
    ("Nehir taştı çünkü çok yağmur yağdı", "Çok yağmur yağdı, köprü kapandı"),
    ("Mert İzmir'de yaşıyor", "Mert'in ablası Bursa'ya taşındı"),
    ("Mert'in babası bankada çalışıyor", "Mert bankadan ayrıldı"),
    ("I take aspirin", "I stopped taking aspirin before bed"),
    ("We use Django", "We don't use Flask anymore"),
    ("Usamos Django", "Não usamos mais Flask"),
    ("I work at Acme", "I don't work at Globex anymore"),
    ("The rent is 900 euros", "The gas is 90 euros now"),
    ("Die Miete ist 900 Euro", "Der Strom ist jetzt 90 Euro"),
    ("The mortgage rate is 3.1%", "The discount for students is 20% now"),
]
ENDS = [
    ("Lea's ballet is on saturdays at 11", "Lea's moved ballet to sundays at 10"),
    ("the standup is at 9:00", "we moved the standup to 9:30"),
    ("the canteen is open 9-15", "the canteen is open 9-16 now"),
    ("I work late on Fridays", "I no longer work late on Fridays"),
    ("I sing in a choir", "I quit the choir"),
    ("I take bus 12 to work", "I switched from bus 12 to the tram"),
    ("toplantı salı günleri", "toplantı artık perşembe günleri"),
    ("we pay for Deezer", "we cancelled Deezer"),
    ("we read the Times", "we dropped the Times"),
    ("we use memcached for sessions", "we got rid of memcached"),
    ("Ida learns the piano", "Ida no longer learns the piano"),
    ("the alerts go to #shop-ops", "the alerts go to #shop-alerts now"),
    ("the alerts channel is #ops", "the alerts channel is now #alarms"),
    ("deploy notes are posted in #release", "deploy notes are posted in #shipping now"),
    ("we have two api instances", "we have three api instances now"),
    ("We use Flask", "We don't use Flask anymore"),
    ("I work at Globex", "I don't work at Globex anymore"),
    ("The rent is 900 euros", "The rent is 950 euros now"),
    ("I pay 900 euros a month for the flat", "the flat is 950 euros a month now"),
    ("The mortgage rate is 3.1%", "The mortgage rate is 3.4% now"),
    ("we have 3 shop assistants", "we have 5 shop assistants now"),
    ("our shop opens at 9", "our shop opens at 10 now"),
    ("there are 214 features in the model", "dropped one feature, 213 features left"),
    ("we watch Disney a lot", "changed my mind on Disney, cancelled it"),
    ("ich wohne in Berlin", "ich wohne jetzt in Hamburg"),
    ("we use terraform", "no terraform after all"),
    ("my dentist is Dr Kapur", "my dentist is Dr Lind now"),
]


@pytest.mark.parametrize(("old", "new"), STAYS)
def test_what_was_not_taken_back_stays(standing: Standing, old: str, new: str) -> None:
    """Told one right after the other, both hold."""
    assert old in standing(old, new)


@pytest.mark.parametrize(("old", "new"), ENDS)
def test_what_is_taken_back_ends(standing: Standing, old: str, new: str) -> None:
    """The same words where they tell a change of the same thing."""
    assert standing(old, new) == [new]


def test_what_is_left_keeps_its_words_and_its_questions(shared: Shared, user: str) -> None:
    """A clause that stays is tied as it was, and only it is found by what it tells."""
    memory = shared()
    memory.observe(
        "Ida has ballet on mondays and started the cello, the teacher comes after school, 18 euros",
        user=user,
    )
    memory.observe("Ida moved ballet to saturdays", user=user)
    (first, *_) = memory.recall("what does the cello teacher cost?", user=user)
    assert "the teacher comes after school" in first.memory.content
    found = memory.recall("cello teacher", user=user)
    assert all("saturdays" not in one.memory.content for one in found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Our dog Rex is allergic to chicken", "Our dog's name is Max, not Rex"),
        ("My wife Anna works at Siemens", "My wife's name is Hanna, not Anna"),
        ("Köpeğim Rex tavuk yemez", "Köpeğimin adı Max, Rex değil"),
        ("Apollo launches in May", "We renamed Apollo to Zeus"),
        ("My son's name is Tim. He plays chess.", "My son's name is Tom, not Tim"),
        (
            "I need help planning my week. My daughter Lina turns 7 on October 12th",
            "Actually my daughter's name is spelled Leena, not Lina",
        ),
    ],
)
def test_what_is_told_of_somebody_outlives_the_name(
    shared: Shared, user: str, old: str, new: str
) -> None:
    """Where only a name is put right, what was told under it holds, and says what is newer."""
    memory = shared()
    kept = memory.remember(old, user=user, at="2026-01-10").memory
    told = memory.remember(new, user=user, at="2026-01-20").memory
    assert kept is not None
    assert told is not None
    assert memory.get(kept.id, user=user).state == "active"
    hits = {hit.memory.id: hit for hit in memory.recall(old, user=user)}
    assert hits[kept.id].newer == (told.id,)


@pytest.mark.parametrize(
    "old", ["Our dog's name is Rex", "Our dog is called Rex", "This is our dog Rex"]
)
def test_a_mere_name_ends_with_the_name(shared: Shared, user: str, old: str) -> None:
    """What only says how something is called is over when that is put right."""
    memory = shared()
    for text in (old, "Our dog's name is Max, not Rex"):
        memory.remember(text, user=user)
    assert [one.content for one in memory.list(user=user)] == ["Our dog's name is Max, not Rex"]
