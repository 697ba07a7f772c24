"""German, Spanish, French, Portuguese, Russian: what asks for a value as it is, what tells a
change, that the newer statement comes first; English with the same letters is none of them."""

import pytest
from tests.engine.conftest import Shared

from engraphy.text.aims import tells_a_change, wants_present_value

ASKS = [
    "Quanto custa o ginásio?",
    "Quando é a consulta no dentista?",
    "Qual é o código da porta?",
    "Сколько стоит аренда?",
    "Когда приём у врача?",
    "Какой код у двери?",
    "Wann ist der Termin beim Bürgeramt?",
    "Bis wann muss die Anmeldung raus?",
    "Wie hoch ist die neue Miete?",
    "Wie oft nehme ich das Eisen?",
    "Welche Handynummer habe ich?",
    "Um wie viel Uhr beginnt der Kurs?",
    "Was kostet der Stellplatz?",
    "¿Cuándo es la cita con el dentista?",
    "¿Cuánto cuesta el gimnasio?",
    "¿Cuál es el código de la puerta?",
    "Quel est le code du portail ?",
    "Quand commence le stage ?",
    "Combien coûte la place de parking ?",
]
CHANGES = [
    "a consulta agora é na terça",
    "já não vou ao ginásio",
    "o aluguel subiu para 980 euros",
    "код теперь 4471",
    "аренда выросла до 980 евро",
    "приём перенесли на вторник",
    "der Termin ist jetzt am 24. um 9:10",
    "die Abgabe wurde bis 30. November verlängert",
    "Kurs auf Donnerstag verschoben",
    "Netflix gekündigt",
    "wir ziehen doch nicht nach Bonn",
    "nur noch alle zwei Wochen",
    "la cita ahora es el martes",
    "ya no voy al gimnasio",
    "me mudé a Sevilla",
    "le code est désormais 4471",
    "le stage est reporté au 3 mai",
    "finalement on part en train",
]
NEITHER = [
    "Quem é o meu dentista?",
    "Quanto era o aluguel antes?",
    "Кто мой стоматолог?",
    "Сколько стоила аренда раньше?",
    "How did the war start?",
    "Who was the man in the hat?",
    "Wie war das Wetter in Rom?",
    "Wann war mein erster Arbeitstag?",
    "Wer ist mein Zahnarzt?",
    "¿Quién es mi dentista?",
    "Qui est mon dentiste ?",
    "Where did the report go?",
    "Was hat Lena damals bezahlt?",
    "Erzähl mir etwas über Köln",
]
AS_THEY_WERE = [
    "a minha irmã mora em Faro",
    "o código da porta é 4471",
    "моя сестра живёт в Самаре",
    "код двери 4471",
    "der Termin ist am 24. um 9:10",
    "wir wohnen seit drei Jahren in Bonn",
    "meine Schwester heißt Neele",
    "mi hermana vive en Sevilla",
    "el código de la puerta es 4471",
    "le code du portail est 4471",
    "ma sœur habite à Lyon",
    "she gave a report on augmented reality",
    "the nun and the weg sign stand by the war memorial",
    "ich trinke morgens Tee",
    "en verano vamos a la playa",
    "nous avons deux chats",
]
RENEWED = [
    (
        "a mensalidade do ginásio é de 24 euros",
        "a mensalidade do ginásio agora é de 29 euros",
        "Quanto é a mensalidade do ginásio?",
    ),
    (
        "приём у стоматолога 17 мая в 10:40",
        "приём у стоматолога теперь 24 мая в 9:10",
        "Когда приём у стоматолога?",
    ),
    (
        "der Zahnarzttermin ist am 17. Mai um 10:40",
        "der Zahnarzttermin ist jetzt am 24. Mai um 9:10",
        "Wann ist mein Zahnarzttermin?",
    ),
    (
        "la cuota del gimnasio es de 24 euros",
        "la cuota del gimnasio sube a 29 euros ahora",
        "¿Cuánto es la cuota del gimnasio?",
    ),
    (
        "le loyer du garage est de 80 euros",
        "le loyer du garage est désormais de 95 euros",
        "Quel est le loyer du garage ?",
    ),
]


@pytest.mark.parametrize("text", ASKS)
def test_a_question_after_a_value_is_known(text: str) -> None:
    """As it is now: what is newer counts."""
    assert wants_present_value(text)


@pytest.mark.parametrize("text", NEITHER)
def test_other_questions_are_none(text: str) -> None:
    """They ask for a person, for what was, or in English."""
    assert not wants_present_value(text)


@pytest.mark.parametrize("text", CHANGES)
def test_a_change_is_known(text: str) -> None:
    """A word of it tells that something is new or over."""
    assert tells_a_change(text)


@pytest.mark.parametrize("text", AS_THEY_WERE)
def test_how_things_are_is_no_change(text: str) -> None:
    """Nothing in it is new."""
    assert not tells_a_change(text)


@pytest.mark.parametrize(("old", "new", "question"), RENEWED)
def test_the_newer_value_comes_first(
    shared: Shared, user: str, old: str, new: str, question: str
) -> None:
    """Whether the older one has ended or not."""
    memory = shared()
    for text in (old, new):
        memory.remember(text, user=user)
    assert memory.recall(question, user=user)[0].memory.content == new
