"""Forms of a word meet in one term, in languages with rules of their own and without."""

import pytest

from engraphy.text.analyser import analyse, query_terms


def meeting(said: str, question: str) -> set[str]:
    """The terms of a question that the statement is indexed under."""
    return {one.term for one in query_terms(question)} & set(analyse(said))


@pytest.mark.spec("R-13")
@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("Vende una bicicleta de montaña", "bicicletas"),
        ("Los balcones dan al río", "balcón"),
        ("O balão subiu com o vento", "os balões"),
        ("Comprou o anel na feira", "anéis"),
        ("Le cheval est dans le pré", "chevaux"),
        ("Il a vendu les tableaux", "un tableau"),
        ("La forbice è nel cassetto", "le forbici"),
        ("Er ligt een boot in de haven", "boten"),
        ("Het kind schrijft een brief", "brieven"),
        ("Der Apfelbaum ist noch klein", "Apfelbäume"),
        ("Der Zug nach Göttingen ist weg", "goettingen"),
        ("Кошка спит на печке", "кошки"),
        ("Ёжик живёт под крыльцом", "ежик"),
        ("Το ποδήλατο είναι στο ράφι", "ποδήλατα"),
        ("खिड़की खुली है", "खिडकियां"),
        ("سيارة خالد جديدة", "لخالد"),
        ("الحديقة جميلة", "حديقتنا"),
    ],
)
def test_a_form_of_a_word_finds_another(said: str, question: str) -> None:
    """Number, case, umlaut and joined particles are bridged, without a stemmer of the language."""
    assert meeting(said, question)


def test_english_texts_carry_no_key_of_other_languages() -> None:
    """A statement or a question in English is cut as before: no key, no prefix, names or not."""
    said = "We met the architect in Los Angeles and she was late"
    terms = [*analyse(said), *(one.term for one in query_terms("Who was late in Los Angeles?"))]
    assert not [term for term in terms if "__" in term]


def test_words_of_grammar_are_not_asked_for() -> None:
    """In a question of another Latin language its function words are left out."""
    terms = {one.term for one in query_terms("wo sind die Zelte von Moritz mit den Stangen?")}
    assert {"zelte", "moritz", "stangen"} <= terms
    assert terms.isdisjoint({"wo", "sind", "mit", "den"})


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("Ses kaydını dün sildik", "ses kaydi"),
        ("İl merkezine gidiyorum", "il merkezinden"),
        ("Elif de geldi, kitapları da getirdi", "kitap"),
        ("El kremi bitmiş", "el kremini"),
    ],
)
def test_turkish_stays_turkish(said: str, question: str) -> None:
    """Words that are grammar in another language are words of content here: asked for, and bent
    the Turkish way."""
    asked = {one.term for one in query_terms(question)}
    first = question.split(maxsplit=1)[0]
    assert first in asked
    assert len(meeting(said, question)) >= min(2, len(question.split()))


def test_a_word_without_any_evidence_is_asked_for_in_every_form() -> None:
    """One word alone may be of any language: its key is asked for, for less than the word."""
    weights = {one.term: one.weight for one in query_terms("violini")}
    assert weights["violin__l"] < weights["violini"]
