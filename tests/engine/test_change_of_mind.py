"""A change of mind ends what it is about, however it is said: as an order, of one value among
several, in German, Spanish, French or Turkish; and nothing that nobody took back."""

import pytest
from tests.engine.conftest import Opening

DAY = "2026-03-02T09:00"
LATER = "2026-03-12T09:00"


def active(opening: Opening, told: str, *held: str, named: bool = False) -> list[str]:
    """The memories that hold once a message was told after others; `named`: by `remember`."""
    with opening() as memory:
        for one in held:
            memory.remember(one, user="u", at=DAY)
        if named:
            memory.remember(told, user="u", at=LATER)
        else:
            memory.observe([{"role": "user", "content": told}], user="u", at=LATER)
        return [row.content for row in memory.list(user="u", limit=100)]


ORDERS = [
    ("We use Python 3.11", "please upgrade python to 3.12"),
    ("The backend is on Python 3.11", "bump python to 3.13"),
    ("We run Postgres 14", "upgrade to postgres 17"),
    ("We use Node 18", "let's upgrade to Node 20"),
    ("We use yarn", "stop using yarn, use pnpm"),
    ("Always use yarn for installing packages", "stop using yarn, use pnpm"),
    ("We use yarn", "never use yarn, always pnpm"),
    ("We use npm", "don't use npm anymore, use pnpm"),
    ("We use npm", "do not use npm, use pnpm"),
    ("We lint with flake8", "use ruff instead of flake8 from now on"),
    ("We use pip", "we should use uv instead of pip from now on"),
    ("Our tests use unittest", "switch the tests over to pytest"),
    ("We use Jest for unit tests", "let's move from Jest to Vitest"),
    ("We use moment for dates", "replace moment with date-fns"),
    ("Indent with tabs", "no more tabs, 2 spaces please"),
    ("We use webpack", "switch to vite"),
    ("We use GitLab CI", "switch CI to GitHub Actions"),
    ("We deploy to Heroku", "move the deployment from Heroku to Fly.io"),
]


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(("held", "told"), ORDERS)
def test_an_order_carries_a_change(opening: Opening, held: str, told: str, named: bool) -> None:
    """An order that holds from now on ends what was before, observed or remembered, and no more."""
    beside = ("We use Redis for sessions", "We use lodash", "I live in Berlin")
    rows = active(opening, told, held, *beside, named=named)
    assert held not in rows
    assert set(beside) < set(rows)


ERRANDS = [
    ("We use Python 3.11", "run the tests with python 3.12 once"),
    ("We use Python 3.11", "try python 3.12 here"),
    ("We use Python 3.11", "for now use python 3.12"),
    ("We use Python 3.11", "upgrade to python 3.12 in a branch to see what breaks"),
    ("We use Python 3.11", "maybe we should upgrade python to 3.12"),
    ("We use Python 3.11", "should we upgrade python to 3.12?"),
    ("We use Python 3.11", "if we upgrade python to 3.12 we need new wheels"),
    ("We use Python 3.11", "next quarter we'll upgrade python to 3.12"),
    ("We use Python 3.11", "don't upgrade python to 3.12 yet"),
    ("We use Python 3.11", "Karl wants to upgrade python to 3.12"),
    ("We run Postgres 14", "upgrade redis to 7"),
    ("We use yarn", "try yarn here"),
    ("We use yarn", "use pnpm just this once"),
    ("We use yarn", "don't use yarn for this one"),
    ("We use yarn", "never use yarn in the docker build"),
    ("We use yarn", "Karl stopped using yarn, he uses pnpm"),
    ("We use yarn", "the blog says never use yarn, always pnpm"),
    ("We use yarn", "don't stop using yarn"),
    ("Use pnpm, not yarn", "stop using yarn, use pnpm"),
    ("We lint with flake8", "run ruff instead of flake8 on this file"),
    ("We lint with flake8", "what about ruff instead of flake8"),
    ("We use Jest", "move the Jest config to the root"),
    ("We use Jest", "switch the Jest environment to jsdom"),
    ("The tests live in src", "move the button tests from src to tests"),
    ("We use lodash", "replace moment with date-fns"),
    ("We use React", "replace React with Preact in the demo"),
    ("We use ESLint", "disable the eslint rule no-console"),
    ("We use tabs", "the tab bar needs no more tabs"),
    ("We use webpack", "switch to the vite branch"),
    ("We use Redis for sessions", "stop using Redis for caching"),
    ("We use Kafka", "Anna's team moved from Kafka to SQS"),
]


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(("held", "told"), ERRANDS)
def test_an_errand_changes_nothing(opening: Opening, held: str, told: str, named: bool) -> None:
    """What is ordered once or in one place, asked, supposed, planned, told of others, or said of
    another thing ends nothing."""
    assert held in active(opening, told, held, named=named)


@pytest.mark.parametrize(
    ("held", "told", "left"),
    [
        (
            "The API listens on ports 8080 and 8443",
            "port 8080 is now 9090",
            "The API listens on ports 8443.",
        ),
        (
            "Port 8080 is the API, port 8443 is the admin UI",
            "port 8443 is now 9443",
            "Port 8080 is the API.",
        ),
        (
            "Retries are 3 with a timeout of 2 s",
            "retries are 5 now",
            "Retries with a timeout of 2 s.",
        ),
        (
            "Retries are 3 with a timeout of 2 seconds",
            "the timeout is 5 seconds now",
            "Retries are 3.",
        ),
        (
            "nightly at 2:00 in Airflow",
            "the nightly job now runs at 4:00",
            "Nightly in Airflow.",
        ),
        (
            "The backup runs on Sundays at 3:00 to S3",
            "backups run at 5:00 now",
            "The backup runs on Sundays to S3.",
        ),
        (
            "The cache holds 500 entries with a TTL of 60 s",
            "the cache TTL is 120 s now",
            "The cache holds 500 entries.",
        ),
        ("Standup is at 9:30 in room 4", "standup is at 10:00 now", "Standup is in room 4."),
    ],
)
def test_one_value_of_several(opening: Opening, held: str, told: str, left: str) -> None:
    """A change of one value leaves what the same clause tells beside it."""
    rows = active(opening, told, held)
    assert held not in rows
    assert left in rows


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("The API listens on ports 8080 and 8443", "the admin port is 9090"),
        ("Max upload is 10 MB", "set max width to 20"),
        ("Batch size is 32", "page size is 64"),
        ("Standup is at 9:30 in room 4", "Karl's standup is at 10:00 now"),
        ("Version 2 of the API is on port 8080", "step 8080 is now 30 minutes long"),
        ("Port 8080 is the API", "we no longer use port 8443"),
    ],
)
def test_a_value_of_another_thing(opening: Opening, held: str, told: str) -> None:
    """A value that is given of something else ends nothing."""
    assert held in active(opening, told, held)


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("My exam is on May 19 at 9:00 in room 4", "my exam is on May 20 now"),
        ("I work at Acme in Berlin", "I work at Globex now"),
        ("Rate limit is 100 requests per minute per key", "rate limit is 200 now"),
    ],
)
def test_what_goes_with_a_value(opening: Opening, held: str, told: str) -> None:
    """What hangs on another day, on another employer or on the value itself goes with it."""
    assert active(opening, told, held) == [told]


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("Retries are 3", "make retries 5"),
        ("Retries are 3", "make it 5 retries"),
        ("The timeout is 2 seconds", "set the timeout to 5 seconds"),
        ("The line length is 80", "set the line length to 100"),
        ("The default branch is master", "rename the default branch to main"),
    ],
)
def test_an_order_about_what_is_remembered(opening: Opening, held: str, told: str) -> None:
    """An order that changes what a memory says is no errand."""
    assert active(opening, told, held) == [told]


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("I live in Berlin", "make retries 5"),
        ("I live in Berlin", "set the line length to 100"),
        ("I live in Berlin", "rename the default branch to main"),
        ("Retries are 3", "make 5 buttons"),
        ("Retries are 3", "make the button 5 px wide"),
        ("Retries are 3", "set the timeout to 5"),
        ("Retries are 3", "run it with 5 retries this time"),
        ("Retries are 3", "try 5 retries and see whether it passes"),
        ("The session timeout is 30 minutes", "set the request timeout to 10 seconds"),
        ("The default branch is master", "rename the file to main"),
    ],
)
def test_an_errand_stays_one(opening: Opening, held: str, told: str) -> None:
    """An errand about something else is not kept as a change of what is remembered."""
    assert held in active(opening, told, held)


OTHERS = [
    ("Wir benutzen yarn", "wir benutzen jetzt pnpm statt yarn"),
    ("Wir benutzen yarn", "benutze ab jetzt pnpm statt yarn"),
    ("Wir benutzen npm", "wir benutzen kein npm mehr, sondern pnpm"),
    ("Wir benutzen npm", "wir benutzen npm nicht mehr"),
    ("Wir nutzen Python 3.11", "wir sind auf Python 3.12 umgestiegen"),
    ("Wir benutzen Jest", "wir haben Jest durch Vitest ersetzt"),
    ("Ich wohne in Berlin", "ich bin von Berlin nach Hamburg gezogen"),
    ("Ich wohne in Berlin", "Ich wohne jetzt in Hamburg"),
    ("I live in Berlin", "Ich wohne jetzt in Hamburg"),
    ("Ich arbeite bei Siemens", "ich arbeite nicht mehr bei Siemens"),
    ("Ich arbeite bei Siemens", "ich arbeite jetzt bei Bosch"),
    ("Ich trinke Kaffee", "ich trinke keinen Kaffee mehr"),
    ("Der API-Port ist 8080", "der API-Port ist jetzt 9090"),
    ("Usamos yarn", "ahora usamos pnpm en vez de yarn"),
    ("Usamos yarn", "usa pnpm en vez de yarn a partir de ahora"),
    ("Usamos npm", "ya no usamos npm"),
    ("Usamos Python 3.11", "ahora usamos Python 3.12"),
    ("Usamos Jest", "hemos migrado de Jest a Vitest"),
    ("Usamos moment", "reemplazamos moment por date-fns"),
    ("Vivo en Madrid", "me mudé a Barcelona"),
    ("Vivo en Madrid", "ahora vivo en Barcelona"),
    ("Trabajo en Telefónica", "ya no trabajo en Telefónica"),
    ("Soy vegetariano", "ya no soy vegetariano"),
    ("El puerto de la API es 8080", "el puerto de la API ahora es 9090"),
    ("On utilise yarn", "on utilise maintenant pnpm au lieu de yarn"),
    ("On utilise yarn", "utilise pnpm au lieu de yarn désormais"),
    ("On utilise npm", "on n'utilise plus npm"),
    ("On utilise Python 3.11", "on est passé à Python 3.12"),
    ("On utilise moment", "on a remplacé moment par date-fns"),
    ("J'habite à Paris", "j'ai déménagé à Lyon"),
    ("J'habite à Paris", "j'habite maintenant à Lyon"),
    ("Je travaille chez Renault", "je ne travaille plus chez Renault"),
    ("Je bois du café", "je ne bois plus de café"),
    ("Le port de l'API est 8080", "le port de l'API est maintenant 9090"),
    ("npm kullanıyoruz", "npm kullanmayı bırak, pnpm kullan"),
    ("yarn kullanıyoruz", "yarn kullanma, pnpm kullan"),
    ("Python 3.11 kullanıyoruz", "Python'u 3.12'ye yükselt"),
    ("Jest kullanıyoruz", "Jest'ten Vitest'e geçelim"),
]


@pytest.mark.parametrize(("held", "told"), OTHERS)
def test_a_change_in_another_language(opening: Opening, held: str, told: str) -> None:
    """A change that is told or ordered in German, Spanish, French or Turkish ends what was before,
    and nothing beside it."""
    beside = ("Wir nutzen Redis", "Vivo con dos gatos", "I play the clarinet")
    rows = active(opening, told, held, *beside)
    assert held not in rows
    assert set(beside) < set(rows)


UNCHANGED = [
    ("Wir benutzen yarn", "Karl benutzt jetzt pnpm statt yarn"),
    ("Wir benutzen yarn", "sollen wir pnpm statt yarn benutzen?"),
    ("Wir benutzen yarn", "vielleicht benutzen wir bald pnpm statt yarn"),
    ("Wir benutzen yarn", "wenn wir pnpm statt yarn benutzen, wird der Build schneller"),
    ("Wir benutzen yarn", "benutze hier pnpm statt yarn"),
    ("Wir benutzen yarn", "wir benutzen jetzt auch pnpm"),
    ("Wir benutzen npm", "wir benutzen npm nicht mehr für den Build"),
    ("Wir benutzen Jest", "lass uns mal Vitest probieren"),
    ("Ich wohne in Berlin", "meine Schwester wohnt jetzt in Hamburg"),
    ("Ich wohne in Berlin", "ich bin von Berlin nach Hamburg gefahren"),
    ("Ich wohne in Berlin", "ich würde gern nach Hamburg ziehen"),
    ("Ich wohne in Berlin", "ich wohne jetzt in einer WG"),
    ("Ich arbeite bei Siemens", "Lena arbeitet nicht mehr bei Siemens"),
    ("Ich arbeite bei Siemens", "ich bin jetzt bei Karl"),
    ("Ich trinke Kaffee", "ich trinke abends keinen Kaffee mehr"),
    ("Usamos yarn", "Carlos ahora usa pnpm en vez de yarn"),
    ("Usamos yarn", "¿usamos pnpm en vez de yarn?"),
    ("Usamos yarn", "quizás usamos pnpm en vez de yarn"),
    ("Usamos yarn", "si usamos pnpm en vez de yarn, irá más rápido"),
    ("Usamos yarn", "prueba pnpm en vez de yarn aquí"),
    ("Vivo en Madrid", "mi hermana se mudó a Barcelona"),
    ("Vivo en Madrid", "me gustaría mudarme a Barcelona"),
    ("Trabajo en Telefónica", "Ana ya no trabaja en Telefónica"),
    ("Trabajo en Telefónica", "ahora trabajo en Madrid"),
    ("Bebo café", "ya no bebo café por la noche"),
    ("On utilise yarn", "Pierre utilise maintenant pnpm au lieu de yarn"),
    ("On utilise yarn", "est-ce qu'on utilise pnpm au lieu de yarn ?"),
    ("On utilise yarn", "on pourrait utiliser pnpm au lieu de yarn"),
    ("On utilise yarn", "si on utilise pnpm au lieu de yarn, ce sera plus rapide"),
    ("On utilise Python 3.11", "on va passer à Python 3.12"),
    ("J'habite à Paris", "ma sœur a déménagé à Lyon"),
    ("J'habite à Paris", "j'aimerais déménager à Lyon"),
    ("Je travaille chez Renault", "Paul ne travaille plus chez Renault"),
    ("Je bois du café", "je ne bois plus de café le soir"),
    ("npm kullanıyoruz", "Ayşe artık npm kullanmıyor"),
    ("npm kullanıyoruz", "npm yerine pnpm kullansak mı?"),
    ("yarn kullanıyoruz", "burada yarn kullanma"),
    ("yarn kullanıyoruz", "Ali yarn kullanmayı bıraktı"),
    ("Jest kullanıyoruz", "Vitest'e geçelim mi?"),
]


@pytest.mark.parametrize(("held", "told"), UNCHANGED)
def test_no_change_in_another_language(opening: Opening, held: str, told: str) -> None:
    """What others do, what is asked, supposed, wished, done once or in one place ends nothing, in
    those languages too."""
    assert held in active(opening, told, held)


def test_what_is_told_in_another_language_is_a_fact(opening: Opening) -> None:
    """A statement in German, Spanish or French gives the same facts as in English."""
    with opening() as memory:
        memory.remember("Ich wohne in Berlin", user="u", at=DAY)
        memory.remember("Trabajo para Siemens", user="u", at=DAY)
        memory.remember("j'ai déménagé à Lyon", user="u", at=LATER)
        told = {one.predicate: one.object for one in memory.facts(user="u")}
        assert told == {"city": "lyon", "employer": "siemens"}
