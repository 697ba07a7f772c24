"""What a message only passes on: words of others, mails and chats that are pasted, pieces that
somebody wrote."""

import pytest
from tests.engine.conftest import Opening

HOME = "I live in Berlin."
PHONE = "My phone number is 0151 23456."
RELAYED = [
    (HOME, "My brother texted me: I moved to Rome last week"),
    (HOME, "Jonas wrote: I live in Rome now, come visit"),
    (HOME, 'She texted me, "I moved to Rome", and I was happy'),
    (
        HOME,
        "Tom wrote me this morning:\nI moved to Rome.\nI work at Acme.\n\nI should visit.",
    ),
    (HOME, "[12.03.25, 10:31] Tom: I moved to Rome\n[12.03.25, 10:32] Me: wow"),
    (HOME, "Tom: I moved to Rome\nMe: wow\nTom: yes I live in Rome now"),
    (HOME, "Subject: Re: moving\n\nHi, I moved to Rome last month.\nBest, Tom"),
    (HOME, "From: Tom <tom@x.org>\nSubject: moving\nHi, I moved to Rome last month.\nBest, Tom"),
    (HOME, "Kardeşim mesaj atmış: artık Roma'da yaşıyorum"),
    (HOME, "Mein Bruder schrieb: ich wohne jetzt in Rom"),
    ("I'm vegan.", "My sister just posted: I'm not vegan anymore, sorry everyone"),
    (PHONE, "Tom's message was: my new phone number is 0170 99887"),
    (PHONE, "Message from Tom: I changed jobs. My new phone number is 0170 99887"),
    ("I work as a consultant.", "I wrote in my journal: I am an architect. A father. A cook."),
    ("I work as a consultant.", "I'm an architect by training."),
    (HOME, "Can you rewrite this sentence? I moved to Rome last week."),
    (HOME, "Please proofread the following email:\n\nHi, I moved to Rome.\nI live there now."),
    (HOME, "Şu cümleyi düzelt: Roma'ya taşındım"),
    (HOME, "Draft for my cover letter: I moved to Rome and worked as a guide"),
    (HOME, 'Got this from my cousin today: "Hey, I moved to Rome, come visit!"'),
    (HOME, "Customer feedback: I moved to Rome and your parcel never came"),
    (HOME, "Please make this sound nicer: I moved to Rome and I hate it"),
    (HOME, "In my novel I moved to Rome and became a spy."),
    (HOME, "Let's play a game: I am a pirate and I live in Atlantis now."),
]
TOLD = [
    "I told my boss: I moved to Rome",
    "News: I moved to Rome last week",
    "Guess what: I moved to Rome last week",
    "Landlord: I moved to Rome last week",
    "Message for my landlord: I moved to Rome last week",
    "My brother texted me: see you in June.\nBy the way I moved to Rome last week.",
    'She texted me "come!" so I moved to Rome last week',
    "Note: I moved to Rome\nNote: I sold my car",
    "Please update my profile: I moved to Rome",
    "Check the weather please. I moved to Rome",
]


@pytest.mark.parametrize(("held", "message"), RELAYED)
def test_words_of_others_end_nothing(opening: Opening, held: str, message: str) -> None:
    """What a message passes on is nobody's who passes it on: no fact of theirs ends or begins."""
    with opening() as memory:
        memory.observe([{"role": "user", "content": held}], user="u", session="one")
        before = [(one.predicate, one.object) for one in memory.facts(user="u")]
        memory.observe([{"role": "user", "content": message}], user="u", session="two")
        assert [(one.predicate, one.object) for one in memory.facts(user="u")] == before
        assert [one.content for one in memory.list(user="u")].count(held) == 1


@pytest.mark.parametrize("message", TOLD)
def test_own_words_beside_a_colon_or_a_quotation_count(opening: Opening, message: str) -> None:
    """What the writer says of themselves counts, whatever stands before it."""
    with opening() as memory:
        for text in (HOME, message):
            memory.observe([{"role": "user", "content": text}], user="u", session=text[:9])
        assert [one.object for one in memory.facts(user="u") if one.predicate == "city"] == ["rome"]
