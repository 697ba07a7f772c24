"""What is said in any script is found again by the words of that script, however they are typed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.engine.making import opened, texts

from engraphy import Memory

# Each group: what is said, and for each of its statements the questions that must find it.
SAID: dict[str, dict[str, tuple[str, ...]]] = {
    "chinese": {
        "猫在睡觉": ("猫", "睡觉"),
        "狗在院子里跑": ("狗", "院子"),
        "我喜欢喝绿茶": ("茶", "绿茶", "我喜欢喝什么茶"),
        "北京今天下雨": ("北京", "雨"),
        "他住在上海": ("上海", "他住在哪里？上海"),
    },
    "japanese": {
        "東京に住んでいます": ("東京",),
        "京都の寺が好き": ("京都", "寺"),
        "犬を飼っている": ("犬",),
        "カメラを買った": ("カメラ", "ｶﾒﾗ"),
        "さくらが咲いた": ("さくら",),
        "ﾊﾟｿｺﾝを直した": ("パソコン",),
    },
    "korean": {
        "서울에 살아요": ("서울",),
        "부산은 바다가 예쁘다": ("부산", "바다"),
        "저는 고양이를 키워요": ("고양이",),
        "커피를 매일 마셔요": ("커피",),
    },
    "turkish casing": {
        "Iğdır'da kayısı topluyoruz": ("ığdır", "IĞDIR", "igdir", "Iğdır'ın"),
        "İstanbul'un köprüsü kapalı": ("istanbul", "ISTANBUL", "İSTANBUL", "İstanbul'da"),
        "ISPARTA gülü meşhurdur": ("ısparta", "isparta", "Isparta"),
        "Işık lambası bozuk": ("ışık", "ISIK", "IŞIK"),
        "ÇANAKKALE şehitliği": ("çanakkale", "canakkale", "Çanakkale'den"),
    },
    "turkish suffixes": {
        "Ayşe'nin doğum günü martta": ("Ayşe", "Ayşe'ye", "ayse", "Ayşe’den"),
        "Toplantı Ankara'dan taşındı": ("Ankara", "Ankara'ya", "Ankara’nın", "ankarada"),
        "Kitaplarımızı kütüphaneye verdik": ("kitap", "kitabı", "kitaplar", "kütüphane"),
        "Veritabanımız Postgres üzerinde": ("veritabanı", "veritabanında", "Postgres'te"),
        "Kahveyi şekersiz içerim": ("kahve", "kahvemi", "şeker"),
        "Hâlâ kâğıt kullanıyoruz": ("hala", "hâlâ", "kağıt", "kâğıdı", "kagit"),
    },
    "arabic": {
        "أسكن في القاهرة": ("القاهرة",),
        "أحب القهوة في الصباح": ("القهوة", "قهوة", "والقهوة"),
        "الكتاب على الطاولة": ("الكتاب", "كتاب", "بالكتاب"),
        "مُحَمَّد يعمل مهندسا": ("محمد",),
        "موعد الطبيب يوم الثلاثاء": ("الطبيب", "طبيب"),
    },
    "thai": {
        "ฉันอาศัยอยู่ในกรุงเทพ": ("กรุงเทพ",),
        "แมวของฉันชื่อส้ม": ("แมว", "ส้ม"),
        "ชอบกินข้าวผัด": ("ข้าวผัด", "ข้าว"),
        "รถไฟออกแปดโมง": ("รถไฟ",),
    },
    "devanagari": {
        "मैं दिल्ली में रहता हूँ": ("दिल्ली",),
        "मुझे चाय पसंद है": ("चाय",),
        "मेरी बिल्ली का नाम मीनू है": ("बिल्ली", "मीनू"),
        "बैठक मंगलवार को है": ("मंगलवार",),
    },
    "accents": {
        "The café in Zürich closes at nine": ("cafe", "café", "cafe\u0301", "zurich", "ZÜRICH"),
        "Señor Muñoz repairs the piano": ("munoz", "Muñoz", "senor"),
        "Crème brûlée is the favourite dessert": ("creme brulee", "crème brûlée"),
        "Die Straße ist gesperrt": ("strasse", "straße", "STRASSE"),
        "Nguyễn thích phở": ("nguyen", "pho"),
    },
    "letters with a stroke": {
        "Søren lives in Ålesund": ("Søren", "alesund", "Ålesund"),
        "Łukasz works in Łódź": ("Łukasz", "lukasz", "ŁÓDŹ"),
        "Ægir sails from Þórshöfn": ("aegir", "Ægir", "thorshofn"),
    },
    "emoji": {
        "The release party 🎉 starts at eight": ("🎉",),
        "My dog loves the beach 🐶🏖️": ("🐶", "🏖", "🏖️"),
        "Deploy is green ✅": ("✅",),
        "The team flag is 🇹🇷": ("🇹🇷",),
        "The engineer 👩🏽‍💻 is on call": ("👩🏽‍💻", "👩‍💻"),
    },
    "code": {
        "getUserById returns null for guests": ("getUserById", "getuserbyid", "getUserById()"),
        "get_user_by_id is deprecated": ("get_user_by_id", "`get_user_by_id`"),
        "The bug is in src/api/auth.js": ("src/api/auth.js", "api/auth.js", "auth.js", "./auth.js"),
        "We use gpt-4o for summaries": ("gpt-4o", "GPT-4o", "gpt4o"),
        "The engine is written in C++": ("C++", "c++?"),
        "The service is written in C#": ("C#", "c#"),
        "Secrets are in the .env file": (".env", "the .env"),
        "node:sqlite crashes on start": ("node:sqlite", "sqlite"),
        "Error E0308 appears in the parser": ("E0308", "e0308"),
        "ERR_CONNECTION_REFUSED came from the proxy": (
            "ERR_CONNECTION_REFUSED",
            "connection refused",
        ),
        "HTTP 503 is returned by the gateway": ("503", "HTTP 503"),
        "Run npm run build:prod first": ("build:prod",),
        "The type is Vec<Option<u8>>": ("Vec<Option<u8>>",),
        "Set --no-cache on the runner": ("--no-cache", "no-cache"),
        "The package @scope/tool-kit is pinned": ("@scope/tool-kit", "tool-kit", "toolkit"),
        "ORA-00942 means a missing table": ("ORA-00942", "ora-00942"),
        "The header is X-Request-Id": ("X-Request-Id", "x-request-id"),
        "useEffect runs twice": ("useEffect", "use effect"),
        "The class is HTTPServerError": ("HTTPServerError",),
        "Version v2.10.1 broke imports": ("v2.10.1", "2.10.1"),
    },
}
CASES = [
    pytest.param(said, question, id=f"{group}-{question}")
    for group, told in SAID.items()
    for said, questions in told.items()
    for question in questions
]
PROFILES = ("letsgo", "layered", "titans", "cognitive")
BY_PIECES = ("lukasz", "ŁÓDŹ", "kâğıdı")
"""What the table of the embedder knows only by pieces: another text may read nearer to it."""


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Memory]:
    """One memory per profile and embedder, that holds everything of all groups."""
    folder, memories = tmp_path_factory.mktemp("languages"), dict[tuple[str, str], Memory]()

    def of(profile: str, embedder: str) -> Memory:
        if (profile, embedder) not in memories:
            path: Path = folder / f"{profile}-{embedder}.db"
            quiet = {"judge": {"supersede": False}, "search": {"gate": False}}
            memory = opened(path, profile=profile, embedder=embedder, overrides=quiet)
            for told in SAID.values():
                for text in told:
                    memory.remember(text)
            memories[profile, embedder] = memory
        return memories[profile, embedder]

    return of


@pytest.mark.long
@pytest.mark.spec("R-02")
@pytest.mark.parametrize(("said", "question"), CASES)
def test_words_of_any_script_find_what_was_said(
    held: Callable[[str, str], Memory], said: str, question: str
) -> None:
    """Without an embedder the statement that holds the word is the first of 72."""
    assert texts(held("default", "none").recall(question, touch=False))[0] == said


@pytest.mark.long
@pytest.mark.spec("R-02")
@pytest.mark.parametrize(("said", "question"), CASES)
def test_an_embedder_of_one_language_drowns_no_other(
    held: Callable[[str, str], Memory], said: str, question: str
) -> None:
    """With the default table, which knows English, the same words still find the same first."""
    reach = 2 if question in BY_PIECES else 1
    assert said in texts(held("default", "static").recall(question, touch=False))[:reach]


@pytest.mark.long
@pytest.mark.spec("R-02")
@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_finds_by_any_script(
    held: Callable[[str, str], Memory], profile: str
) -> None:
    """In the documents' profiles, which weigh more than words, it is among the first three."""
    memory = held(profile, "none")
    lost = [
        (question, said)
        for told in SAID.values()
        for said, questions in told.items()
        for question in questions
        if said not in texts(memory.recall(question, touch=False, limit=3))
    ]
    assert lost == []


@pytest.mark.spec("A-04")
def test_one_character_in_a_word_of_two_is_not_the_word(
    held: Callable[[str, str], Memory],
) -> None:
    """東京 and 京都 share a character: each is found by itself alone, first and far ahead."""
    hits = held("default", "none").recall("京都", touch=False)
    assert hits[0].memory.content == "京都の寺が好き"
    assert all("東京" not in hit.memory.content for hit in hits)
