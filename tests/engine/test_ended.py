"""What ended is over though nobody says that anything changed: a thing stolen, a couple parted, a
job lost; a correction of one word; and nothing that only sounds so."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, texts

from engraphy.text.moments import microseconds

DAY = "2026-03-02T09:00"
LATER = "2026-03-12T09:00"
BESIDE = ("We use Redis for sessions", "I love hiking in autumn", "My uncle Karl plays chess")


def kept(opening: Opening, told: str, held: str, *, at: str = LATER) -> list[str]:
    """The memories that hold once a message was told after others."""
    with opening() as memory:
        for one in (*BESIDE, held):
            memory.remember(one, user="u", at=DAY)
        memory.observe([{"role": "user", "content": told}], user="u", at=at)
        return [row.content for row in memory.list(user="u", limit=100)]


OVER = [
    ("I have a Pixel 6", "My Pixel died, I have a Fairphone now"),
    ("My phone is a Pixel", "Pixel died"),
    ("I drive a Yaris", "the Yaris was stolen"),
    ("I ride a Gazelle bike to work", "Someone stole my Gazelle"),
    ("My bike is a blue Cube", "My bike was stolen"),
    ("I have a Kindle Paperwhite", "I lost my Kindle on the train"),
    ("I drive a red Mazda 3", "crashed the Mazda, it's a write-off"),
    ("I use a ThinkPad X1 for work", "My ThinkPad broke, the company gave me a MacBook"),
    ("We own a boat", "We sold the boat"),
    ("I have a Garmin watch", "I lost my Garmin in the sea"),
    ("We have a cleaner, Rosa", "Rosa quit"),
    ("We have a dog, Rex", "Rex died last night"),
    ("I started dating Pieter", "Pieter and I broke up"),
    ("I'm married to Henk", "Henk divorced me"),
    ("My girlfriend is Sofie", "Sofie dumped me"),
    ("I'm single", "I'm seeing Marta now, it's serious"),
    ("I work as a barista at Blue Cup", "got fired from Blue Cup today"),
    ("I'm unemployed at the moment", "I got the job at Lidl!"),
    ("I take Metformin 500 mg twice a day", "My doctor took me off Metformin"),
    ("I go to the gym at FitWorld", "FitWorld closed down, I train at CrossBox"),
    ("The repo lives on GitLab", "we've left gitlab for codeberg"),
    ("We track bugs in Jira", "we said goodbye to Jira, it's all in Linear"),
    ("We are going to Crete in June", "Crete is cancelled, my mother is ill"),
    ("I smoke ten cigarettes a day", "I quit smoking in January"),
    ("I smoke", "I stopped smoking in May"),
    ("I'm vegan", "I eat fish again since the summer"),
    ("I'm pregnant", "Our baby was born on Tuesday"),
    ("I'm looking for a flat in Bonn", "I found a flat in Bonn!"),
    ("The printer is broken", "The printer works again"),
    ("We're waiting for the new sofa", "The sofa arrived today"),
    ("We're waiting for the visa", "We got the visa"),
    ("I'm saving for a bike", "I bought the bike!"),
    ("My car is at the garage", "I picked up the car from the garage"),
    ("My roommate is Jonas", "Jonas moved out"),
    ("Our nanny is Ilse", "We let Ilse go, Marta looks after the kids now"),
    ("We have an au pair from Peru", "The au pair went back to Peru"),
    ("I'm on parental leave", "I'm back at work since Monday"),
    ("Ana is on vacation until Monday", "Ana is back"),
    ("I owe Tom 50 euros", "I paid Tom back"),
    ("Tom owes me 50 euros", "Tom paid me back"),
    ("I'm learning for the driving test", "I passed the driving test"),
    ("I do intermittent fasting", "No more fasting for me"),
    ("I'm in a book club", "The book club fell apart"),
    ("staging is down", "staging is back up"),
    ("payments is down in eu-west, we're on it", "payments recovered, it was an expired cert"),
    ("CI is red because of flaky tests", "CI is green again"),
    ("the release is blocked by legal", "the release is unblocked"),
    ("I have a bad cold", "my cold is gone"),
    ("I'm in bed with the flu", "I'm over the flu"),
    ("We decided to go with GraphQL for the API", "we reversed the GraphQL decision"),
    ("We decided to use Kafka", "we decided against Kafka after all"),
    ("I'm on call this week", "handed the pager to Dilek, my on-call week is over"),
    ("I'm on a diet", "my diet is over"),
    ("The bedroom is blue", "we painted the bedroom green"),
    ("I have brown hair", "I dyed my hair red"),
    ("Tom handles support", "Tom moved to another team, Lea handles support"),
    ("I work at Siemens", "yesterday was my last day at Siemens"),
    ("I work at Siemens", "I stopped working at Siemens"),
    ("I smoke in the house", "I stopped smoking in the house"),
    ("I take aspirin before bed", "I stopped taking aspirin before bed"),
    ("I drink coffee", "I stopped drinking coffee after the surgery"),
    ("I drink coffee in the evening", "I stopped drinking coffee in the evening"),
    ("I take aspirin", "I stopped taking aspirin on my doctor's advice"),
    ("We use Slack", "We stopped using Slack for good"),
    ("We use Slack", "We stopped using Slack for privacy reasons"),
    ("I do yoga on Thursdays", "I stopped the yoga classes"),
    ("I have a desk job at Allianz", "today was my last day at Allianz"),
    ("I don't have a driver's license", "got my driver's license today!"),
    ("I don't have a car", "we bought a car"),
    ("We don't have pets", "we adopted a puppy called Olive"),
    ("Grandma is in the hospital in Ulm", "grandma came home from the hospital yesterday"),
    ("We're flying to Lisbon on July 3", "the airline moved our Lisbon flight to July 5"),
    ("I weigh 84 kilos", "down to 81 kilos, running pays off"),
    ("I run product at Finly. We have 12 people.", "we're 15 people now btw"),
    ("We rent a flat in Altona", "we bought a house in Pinneberg and moved in last weekend"),
    ("I study law in Bonn", "I graduated in June"),
    ("My brother Can studies medicine", "Can graduated in June, he works at a clinic"),
    ("my nephew Paul plays the cello", "Paul quit the cello"),
    ("utils.py has the retry helper", "retry helper lives in net/retry.py now"),
    ("we pin python to 3.11 because of lambda", "python is 3.13 everywhere"),
    ("yazıcı bozuk", "yazıcı tekrar çalışıyor"),
    ("Netflix'e ayda 230 lira ödüyorum", "Netflix aboneliğimi iptal ettim"),
    ("the build server is offline", "build server is up and running again"),
    ("I work at Siemens as a tester", "today was my first day at Bosch"),
    ("main is frozen until the release", "freeze is lifted, merge away"),
    ("Hana is the maintainer of the app", "Hana passed the app on to Felix"),
    ("I maintain the CLI", "I handed the CLI over to Jo"),
    ("Kuzenim Mert İzmir'de yaşıyor", "Mert Bursa'ya taşındı"),
    ("Garanti'de çalışıyorum", "Bugün Akbank'ta ilk günümdü"),
    ("Arabam Fiat Egea", "Egea çalındı"),
    ("Telefonum Pixel 6", "Pixel kırıldı, yeni telefonum Fairphone"),
    ("Zeynep ile çıkıyorum", "Zeynep'le ayrıldık"),
    ("Haziranda Bodrum'a gidiyoruz", "Bodrum tatili iptal oldu"),
    ("Hamileyim", "Bebeğimiz doğdu"),
    ("İş arıyorum", "Trendyol'da işe başladım"),
    ("I love coffee", "I gave up coffee"),
    ("I drink coffee", "I quit coffee"),
    ("I watch TV in bed", "I stopped watching TV in bed"),
    ("kahve içiyorum", "kahveyi bıraktım"),
    ("evde sigara içiyorum", "evde sigara içmeyi bıraktım"),
    ("I'm on the waiting list for a garden plot", "my wait is over, I got the garden plot"),
    ("We run the tests by hand before each release", "the tests are in CI now"),
    ("The e2e tests are not in CI", "the e2e tests are in CI now"),
    ("We deploy every day", "only deploy on Thursdays from now on"),
    ("We deploy on Mondays", "only deploy on Thursdays from now on"),
    ("Deploys go out on Tuesdays", "only deploy on Thursdays from now on"),
    ("The upload limit is 10 MB", "upload limit is 25 MB as of release 4.2"),
    ("upload limit is 10 MB", "the upload limit is 25 MB since version 4.2"),
    ("Exports go through /v1", "v1 is sunset, exports go through /v2"),
    ("We use the v1 API", "v1 is sunset"),
    ("I prefer dark roast", "I prefer light roast these days"),
    ("I prefer tabs", "I prefer spaces these days"),
    ("I prefer morning meetings", "I prefer afternoon meetings nowadays"),
    ("mutfak mavi", "mutfağı beyaza boyadık"),
    ("salon gri", "salonu yeşile boyadık"),
    ("mutfağın duvarları mavi", "mutfağı beyaza boyadık"),
    ("test sunucusu çöktü", "test sunucusu tekrar ayakta"),
    ("I drink coffee after lunch", "I stopped drinking coffee after lunch"),
    ("I smoke", "I quit smoking with hypnosis"),
    ("I smoke", "I quit smoking with the help of patches"),
    ("I smoke", "I quit smoking after the baby came"),
    ("I smoke", "I quit smoking two years ago"),
    ("I smoke", "I stopped smoking before the wedding"),
    ("I run", "I stopped running because of my knee"),
    ("I smoke", "I quit smoking on Sunday"),
    ("I drink coffee", "I no longer drink coffee"),
    ("I drink coffee every day", "I no longer drink coffee every day"),
    ("I work at Acme", "I stopped working at Acme after 10 years"),
    ("I work at Acme", "I quit Acme after five years"),
    ("I drink tea with sugar", "I stopped drinking tea with sugar"),
    ("I run with the club", "I stopped running with the club"),
    ("sigara içiyorum", "sonunda sigarayı bıraktım"),
    ("sigara içiyorum", "martta sigarayı bıraktım"),
    ("We use Slack", "We stopped using Slack after the outage"),
    ("The backups are not encrypted", "the backups are encrypted now"),
    ("The app is not on Android yet", "the app is finally on Android"),
    ("We publish the docs manually", "the docs are automated now"),
    ("I run every day", "I only run on Sundays now"),
    ("We release daily", "we only release on Mondays from now on"),
    ("I take the 7:40 train to work", "I cycle to work now"),
    ("I eat meat twice a week", "I'm vegetarian since January"),
    ("Lena goes to kindergarten at Sonnenblume", "Lena started school"),
    ("I go to the gym three times a week", "I stopped going to the gym"),
    ("I run every morning", "I stopped running because of my knee"),
    ("Partners use the v1 endpoints", "v1 has been switched off"),
    ("çocuk odası pembe", "çocuk odasını maviye boyadık"),
    ("toplantılarımız pazartesi 10'da", "toplantıları çarşambaya aldık"),
    ("yedekler her gece 2'de alınıyor", "yedekleri artık saat 4'te alıyoruz"),
    ("test sunucusu bakımda", "test sunucusu yeniden açıldı"),
    ("prod is on postgres 14", "prod is on 16 since Sunday"),
    ("The docs are built with Sphinx", "the docs are on MkDocs these days"),
    ("The app is in beta", "the app is in production now"),
    ("I have piano lessons on Tuesdays", "I quit piano"),
    ("Bruno weighs 31 kilos", "Bruno is at 28 kilos now"),
    ("log retention is 14 days", "log retention is 30 days now"),
    ("log retention is 14 days", "log retention is 30 days"),
    ("I eat breakfast on Sundays", "I skip breakfast on Sundays now"),
    ("we live in a two room flat in Wedding", "we moved to Pankow last week"),
    ("Emma has piano lessons on Tuesdays", "Emma quit piano, she does judo now"),
    ("dizim ağrıyor", "dizim geçti"),
    ("deploys happen on Fridays", "no deploys on Fridays any more, Tuesdays only"),
    ("we deploy on Fridays", "no deploys on Fridays any more"),
    ("anyone can deploy", "only Ana and Ben can deploy from now on"),
    ("the tomatoes are in the greenhouse", "the tomatoes are in the raised bed now"),
    ("my bike is in the cellar", "my bike is in the garage now"),
    ("my knee hurts when I run", "my knee is fine again"),
    ("Ben naps at noon", "Ben doesn't nap anymore"),
    ("I study physics in Bonn", "I changed my major to maths"),
    ("Ela anaokuluna gidiyor", "Ela bu yıl ilkokula başladı"),
    ("we have a PS5", "we gave the PS5 to my nephew"),
    ("prod is in read-only mode", "prod is writable again"),
    ("The backend is written in Python", "the backend has moved to Rust"),
    ("The docs are in Confluence", "the docs are in Notion now"),
    ("We don't support Safari", "we support Safari now"),
    ("We don't use Docker", "we finally use Docker"),
    ("I don't like olives", "I like olives now"),
    ("We back up every day", "we only back up on Sundays now"),
    ("The report job runs at 3 am", "the report job runs at 5 am as of this week"),
    ("Mia answers support tickets", "Mia went on maternity leave, Jo answers tickets"),
    ("I have a beard", "I shaved off my beard"),
    ("Noah sleeps in our bed", "Noah sleeps in his own bed now"),
    ("My desk is by the window", "I moved my desk to the attic"),
    ("We have a car loan with 8000 euros left", "we paid off the car loan"),
    ("haftada bir et yerim", "vegan oldum"),
    ("site WordPress ile yapıldı", "siteyi Astro'ya taşıdık"),
    ("veritabanı MySQL 5.7", "veritabanını Postgres'e taşıdık"),
    ("I don't eat meat", "I eat meat again"),
]


@pytest.mark.parametrize(("held", "told"), OVER)
def test_what_ended_is_over(opening: Opening, held: str, told: str) -> None:
    """Who lost, left or buried what they told of has it no longer, and nothing else ends."""
    rows = kept(opening, told, held)
    assert held not in rows
    assert set(BESIDE) < set(rows)


STAYS = [
    ("I drive a Yaris", "My neighbour's Yaris was stolen"),
    ("I drive a Yaris", "My Yaris has a flat tyre"),
    ("I drive a Yaris", "The Yaris was almost stolen"),
    ("I drive a Yaris", "I dreamed that the Yaris was stolen"),
    ("I drive a Yaris", "Was the Yaris stolen?"),
    ("I drive a Yaris", "If the Yaris was stolen I would take the bus"),
    ("I drive a Yaris", "My Yaris broke down on the highway"),
    ("I have a Pixel", "The battery of my Pixel died in the meeting"),
    ("I have a Pixel", "My Pixel died at 40 percent"),
    ("I have a Pixel", "I lost my Pixel but found it again"),
    ("I have a Pixel", "I lost my Pixel charger"),
    ("I have a Pixel", "My sister lost her Pixel"),
    ("I have a dog, a cat and a parrot", "The parrot died"),
    ("We have a dog, Rex, and a cat, Tom", "Rex died last night"),
    ("I own two rabbits", "One of the rabbits died"),
    ("I have a garden with roses", "the roses died"),
    ("My dog is called Bruno", "My sister's dog died"),
    ("I work at Philips", "My brother was fired from Philips"),
    ("I work at Philips", "I left Philips at five today"),
    ("I'm dating Pieter", "Pieter left me a note"),
    ("I'm dating Pieter", "Pieter and I split the bill"),
    ("I'm dating Pieter", "Pieter and I broke the record"),
    ("I'm single", "I'm seeing a therapist now"),
    ("I'm unemployed", "I got a job interview at Lidl"),
    ("I take Metformin 500 mg", "My doctor took my mother off Metformin"),
    ("I go to the gym at FitWorld", "FitWorld closed at eight today"),
    ("We use Jira", "We left Jira open during the call"),
    ("We use Redis for the queue", "The Redis pod died"),
    ("We are going to Crete in June", "The Crete flight was cancelled, we take the ferry"),
    ("The heating is in the cellar", "The heating is off"),
    ("The dishwasher is broken", "They fixed the printer"),
    ("I'm looking for a flat in Bonn", "I found a nice bakery in Bonn"),
    ("My phone number is 555-0143", "lost the phone, lost my patience"),
    ("I have a new phone number", "I lost my phone"),
    ("I own a bike shop", "My bike was stolen"),
    ("I have a car key in my bag", "We sold the car"),
    ("I use a boat trailer", "We sold the boat"),
    ("I also have a landline but nobody calls it", "the rule about tickets? we scrapped it"),
    ("We plan to buy a house", "We bought a house plant"),
    ("My car is at the garage", "I picked up the kids from the garage"),
    ("My boss is Helen", "Helen quit smoking"),
    ("My boss is Helen", "My sister Helen retired"),
    ("I live with Jonas", "Jonas quit his job"),
    ("I'm on sick leave", "My wife is back at work"),
    ("Ana is on vacation until Monday", "Ana's laptop is back"),
    ("I owe Tom 50 euros", "I paid Tom a visit"),
    ("I'm learning for the driving test", "My sister passed the driving test"),
    ("I'm in a meeting", "I left the meeting room"),
    ("I work in Berlin", "I left Berlin for the weekend"),
    ("My boss is Helen", "We let Helen go first"),
    ("I'm looking for a dentist", "I found a dentist for my mother"),
    ("We live with my mother", "My mother went back to the kitchen"),
    ("We live with my parents", "My parents moved out of their old bedroom"),
    ("My son's practice is at 5 pm on Wednesdays", "practice is off this wednesday"),
    ("the staging database is down", "staging is back up"),
    ("staging is down", "the printer is back up"),
    ("staging is down", "is staging back up?"),
    ("I have a bad cold", "my son's cold is gone"),
    ("We use Kafka for events", "we decided against Kafka streams"),
    ("We decided to use Kafka", "we decided against it last year, now we like Kafka"),
    ("I'm in the diet group", "my diet is over"),
    ("The bedroom door is blue", "we painted the bedroom green"),
    ("The bedroom is blue", "my neighbour painted the bedroom green"),
    ("The bedroom is big", "we painted the bedroom green"),
    ("Ana handles billing", "Tom left, Lea handles billing"),
    ("Tom handles support", "Ana moved to another team, Lea handles support mails"),
    ("I work at Siemens", "Friday is my last day at Siemens"),
    ("I smoke", "I stopped smoking in the house"),
    ("I do yoga on Thursdays", "I stopped the yoga video"),
    ("I drink coffee", "I stopped drinking coffee in the evening"),
    ("I eat meat", "I don't eat meat at lunch anymore"),
    ("We use Slack", "We stopped using Slack for standups"),
    ("We use npm", "I stopped using npm in the docs repo"),
    ("I run", "I quit running on weekdays"),
    ("I watch football on Sundays", "I paused the football stream"),
    ("I don't have a car", "I got a car seat"),
    ("I don't have a car", "my brother got a car"),
    ("We don't have pets", "my sister adopted a puppy"),
    ("Grandma is in the hospital in Ulm", "grandpa came home from the hospital yesterday"),
    ("Grandma is in the hospital in Ulm", "I came home from the hospital at five"),
    ("We're flying to Lisbon on July 3", "the airline moved our Porto flight to July 5"),
    ("We're flying to Lisbon on July 3", "the Lisbon flight was moved to gate 5"),
    ("I weigh 84 kilos", "the box is up to 20 kilos"),
    ("I weigh 84 kilos", "my dog is down to 20 kilos"),
    ("I weigh 84 kilos", "my suitcase is down to 20 kilos"),
    ("We have 12 people", "there were 15 people in the meeting"),
    ("We rent a flat in Altona", "we bought a house in Pinneberg as an investment"),
    ("We rent a flat in Altona", "my parents bought a house and moved in"),
    ("We rent a flat in Altona", "we moved into the new office"),
    ("My friend Canan studies law", "Can graduated in June"),
    ("My son Paul plays football on Fridays", "Paul quit the cello"),
    ("my nephew Paul plays the cello", "Tom quit the cello"),
    ("utils.py has the date helpers", "the retry helper is in net/retry.py"),
    ("we use node 18", "python is 3.13 everywhere"),
    ("sunucu çöktü", "yazıcı tekrar çalışıyor"),
    ("Netflix'e ayda 230 lira ödüyorum", "Spotify aboneliğimi iptal ettim"),
    ("I work at Siemens as a tester", "today was my first day at PyCon"),
    ("I work at Siemens as a tester", "today was my daughter's first day at Bosch"),
    ("the lake is frozen", "the code freeze is over"),
    ("Hannah is the maintainer of the app", "Hana passed the app on to Felix"),
    ("Hana is the maintainer of the app", "Hana passed the salt to Felix"),
    ("Abim Murat Ankara'da yaşıyor", "Mert Bursa'ya taşındı"),
    ("Garanti'de çalışıyorum", "Bugün okulda ilk günümdü"),
    ("We live in a house in Bonn", "we moved into the tiny house for the weekend"),
    ("I study the violin every evening", "I graduated in June"),
    ("We use Python 3.11 in the worker", "Python is 3.13 everywhere except there"),
    ("Paul plays the cello", "Paul stopped the cello recording"),
    ("Bize Redis lazım", "Bodrum tatili iptal oldu"),
    ("we bought a TV", "I quit watching TV before bed"),
    ("I love coffee", "I stopped drinking coffee after lunch"),
    ("I drink wine", "I gave up wine during the week"),
    ("I eat chocolate", "I stopped eating chocolate after 8 pm"),
    ("I drink coffee", "I stopped drinking coffee on weekdays"),
    ("I smoke", "I quit smoking indoors"),
    ("I run every morning", "I stopped running with headphones"),
    ("I eat meat", "I no longer eat meat on Mondays"),
    ("I play Zelda", "I stopped playing Zelda late at night"),
    ("I use my phone for work", "I stopped using my phone in bed"),
    ("We have an Xbox", "I quit playing Xbox on school nights"),
    ("I have a piano", "I stopped playing piano in the evenings"),
    ("we bought a piano", "I quit piano"),
    ("we bought a TV", "I stopped watching TV"),
    ("I like beer", "I quit beer before runs"),
    ("kahve içiyorum", "Öğleden sonra kahve içmeyi bıraktım"),
    ("kahveyi çok seviyorum", "akşamları kahve içmeyi bıraktım"),
    ("televizyon aldık", "yatmadan önce televizyon izlemeyi bıraktım"),
    ("sigara içiyorum", "evde sigara içmeyi bıraktım"),
    ("I'm on the waiting list for the allotment", "my wait is over"),
    ("We're waiting for the visa", "my wait is over"),
    ("I wait tables at Luigi's", "my wait is over"),
    ("The wait at the clinic is 3 weeks", "my wait is over"),
    ("The tests run with pytest", "the tests are in CI now"),
    ("The tests take 12 minutes", "the tests are in CI now"),
    ("The tests are in tests/unit", "the tests are in CI now"),
    ("CI runs on GitHub Actions", "the tests are in CI now"),
    ("Our CI is GitLab CI", "the tests are in CI now"),
    ("We deploy with Ansible", "only deploy on Thursdays from now on"),
    ("We deploy to Netlify", "only deploy on Thursdays from now on"),
    ("Standup is on Mondays", "only deploy on Thursdays from now on"),
    ("The download limit is 10 MB", "upload limit is 25 MB as of release 4.2"),
    ("The upload timeout is 30 seconds", "upload limit is 25 MB as of release 4.2"),
    ("Release 4.1 ships in May", "upload limit is 25 MB as of release 4.2"),
    ("The v1 API has no auth", "v1 is sunset"),
    ("We use the v2 API", "v1 is sunset"),
    ("I like watching the sunset", "v1 is sunset"),
    ("I like dark roast", "I prefer light roast these days"),
    ("I prefer tea", "I prefer light roast these days"),
    ("I prefer window seats", "I prefer light roast these days"),
    ("salon mavi", "mutfağı beyaza boyadık"),
    ("mutfak dolapları mavi", "mutfağı beyaza boyadık"),
    ("mutfak küçük", "mutfağı beyaza boyadık"),
    ("canlı sunucu çöktü", "test sunucusu tekrar ayakta"),
    ("test sunucusu 10.0.0.5 adresinde", "test sunucusu tekrar ayakta"),
    ("I drink three cups of coffee a day", "I stopped drinking coffee after 3 pm"),
    ("I take vitamin D in winter", "I don't take vitamin D in the evening anymore"),
    ("I love chocolate", "I gave up chocolate for Lent"),
    ("I wear glasses for reading", "no more glasses for sports"),
    ("I drink tea", "I stopped drinking tea with sugar"),
    ("I run every morning", "I stopped running with the club"),
    ("koşuyorum", "sabahları koşmayı bıraktım"),
    ("günde üç çay içiyorum", "akşam yemeğinden sonra çay içmeyi bıraktım"),
    ("telefonumu her yerde kullanıyorum", "yatakta telefonu kullanmayı bıraktım"),
    ("I water the garden every day", "I stopped watering the garden at noon"),
    ("I play Zelda on the Switch", "I quit gaming after midnight"),
    ("I run with the club on Wednesdays", "I stopped running on asphalt"),
    ("We heat with gas", "I stopped heating the bedroom at night"),
    ("I watch the news", "I stopped watching the news at breakfast"),
    ("We use Slack", "We stopped using Slack on weekends"),
    ("I take naps", "I no longer take naps during the week"),
    ("I don't eat sugar", "I no longer drink cola with meals"),
    ("The backups are not encrypted", "the backups are stored in Frankfurt now"),
    ("The app is not on Android yet", "the app is on iOS now"),
    ("We write the docs by hand", "the tests are automated now"),
    ("I swim every day", "I only run on Sundays now"),
    ("We meet every day", "only deploy on Thursdays from now on"),
    ("I take the 7:40 train to work", "I cycle to the lake now"),
    ("My wife takes the train to work", "I cycle to work now"),
    ("I drive a Golf", "I cycle to work now"),
    ("I eat fish on Fridays", "my son is vegetarian now"),
    ("I eat meat twice a week", "my sister went vegetarian"),
    ("I eat meat twice a week", "I stopped eating meat at lunch"),
    ("I like meat", "I'm vegetarian since January"),
    ("Max goes to kindergarten", "Lena started school"),
    ("I go to the gym three times a week", "I stopped going to the gym on Mondays"),
    ("I go to the gym three times a week", "I stopped going to the pool"),
    ("I run product at Finly", "I stopped running because of my knee"),
    ("I run the book club", "I stopped running"),
    ("I swim twice a week", "I stopped running"),
    ("I run every morning", "Tom stopped running"),
    ("Partners use the v2 endpoints", "v1 has been switched off"),
    ("We use Redis 6", "the heating was switched off"),
    ("çocuk odası pembe", "yatak odasını maviye boyadık"),
    ("salonun perdeleri gri", "salonu yeşile boyadık"),
    ("arabam gri", "salonu yeşile boyadık"),
    ("yoga dersi pazartesi", "toplantıları çarşambaya aldık"),
    ("loglar her gece 2'de siliniyor", "yedekleri artık saat 4'te alıyoruz"),
    ("staging is on postgres 14", "prod is on 16 since Sunday"),
    ("The docs are built with Sphinx", "the docs are in the repo now"),
    ("The app is built with Vue", "the app is in production now"),
    ("We have an Xbox", "I quit Xbox"),
    ("We have a dog", "I quit walking the dog at night"),
    ("Bruno gets walked at 7", "Bruno is at 28 kilos now"),
    ("log retention is 14 days", "log retention is 30 days for audit logs"),
    ("the timeout is 30 seconds", "the timeout is 60 seconds for uploads"),
    ("I eat breakfast at 7", "I skip breakfast on Sundays now"),
    ("I wear glasses for reading", "I got contact lenses, no more glasses for sports"),
    ("I smoke", "I stopped smoking in the house, I smoke on the balcony"),
    ("I run 5k every Saturday", "I swim 1k on Saturdays these days"),
    ("my parents live in a flat in Wedding", "we moved to Pankow last week"),
    ("we live in a two room flat in Wedding", "we moved to Slack last week"),
    ("Emma has swimming lessons on Tuesdays", "Emma quit piano, she does judo now"),
    ("başım ağrıyor", "dizim geçti"),
    ("deploys happen on Tuesdays", "no deploys on Fridays any more"),
    ("the demo is on Fridays", "no deploys on Fridays any more"),
    ("anyone can book the room", "only Ana and Ben can deploy from now on"),
    ("the tomatoes are in the fridge drawer", "the potatoes are in the cellar now"),
    ("my bike is in the repair shop", "my bike lock is in the garage now"),
    ("my back hurts when I sit", "my knee is fine again"),
    ("Ben naps at noon", "Ben doesn't nap in the car anymore"),
    ("Ben plays chess", "Ben doesn't play football anymore"),
    ("I nap at noon", "Ben doesn't nap anymore"),
    ("I study at the library", "I changed my major to maths"),
    ("I study every evening", "I changed my major to maths"),
    ("Can anaokuluna gidiyor", "Ela bu yıl ilkokula başladı"),
    ("we have a car", "we gave the car to the garage for repair"),
    ("my laptop is a ThinkPad", "I gave the ThinkPad to Tom for the weekend"),
    ("staging is in read-only mode", "prod is writable again"),
    ("I eat meat twice a week", "I skip meat on Fridays now"),
    ("The backend is written in Python", "the backend has type hints everywhere now"),
    ("I pay 30 euros a month for the phone", "I no longer take my phone to bed"),
    ("I play tennis on Sundays", "I stopped playing tennis in winter"),
    ("The docs are in Confluence", "the changelog is in the docs now"),
    ("We don't support Safari yet", "we support Firefox now"),
    ("I don't eat fish", "I eat meat now"),
    ("I don't like olives", "I like capers now"),
    ("The report job runs at 3 am", "the report job runs at 5 am this week"),
    ("I have a bread oven", "I shaved off my beard"),
    ("Emma sleeps in our bed", "Noah sleeps in his own bed now"),
    ("Noah sits at the window", "Noah sleeps in his own bed now"),
    ("My desk lamp is by the window", "I moved my bed to the attic"),
    ("My desk is a standing desk", "I moved my desk to the attic"),
    ("We have a car with a dent", "we paid off the car loan"),
    ("The mortgage is 1100 euros a month", "we paid off the car loan"),
    ("I'm looking for a flat", "I start at SAP in March"),
    ("et fiyatları arttı", "vegan oldum"),
    ("blog WordPress ile yapıldı", "siteyi Astro'ya taşıdık"),
    ("önbellek Redis", "veritabanını Postgres'e taşıdık"),
    ("arabam Fiat Egea", "siteyi Astro'ya taşıdık"),
    ("I don't eat fish", "I eat chicken now"),
    ("We don't use Jira", "we use Linear now"),
]


@pytest.mark.parametrize(("held", "told"), STAYS)
def test_what_only_sounds_so_ends_nothing(opening: Opening, held: str, told: str) -> None:
    """Another's loss, a part, a passing trouble, one of several: what was told holds."""
    assert {held, *BESIDE} <= set(kept(opening, told, held))


def test_what_took_its_place_answers_for_it(opening: Opening) -> None:
    """What ended something is found by the words of what it ended, also where it is asked by
    others already."""
    with opening() as memory:
        memory.remember("I drive a Yaris", user="u", at=DAY)
        memory.remember("We deploy to Netlify", user="u", at=DAY)
        memory.remember("the Yaris was stolen", user="u", at=LATER)
        memory.remember("we moved from netlify to cloudflare pages", user="u", at=LATER)
        stolen = memory.context("what car do I drive?", user="u").text
        moved = memory.context("where do we deploy?", user="u").text
    assert "stolen" in stolen
    assert "cloudflare" in moved


CORRECTED = [
    ("my sister is called Lina", "No, Lena."),
    ("My brother is called Timo", "no, Tino"),
    ("my sister is called Lina", "no, lena"),
    ("my flight is at 7:40", "oh wait, 8:40"),
    ("Kız kardeşimin adı Lale", "Hayır, Jale."),
]


@pytest.mark.parametrize(("held", "told"), CORRECTED)
def test_one_word_puts_right_what_was_told_just_before(
    opening: Opening, held: str, told: str
) -> None:
    """A name or a value behind "no" or "wait" takes the place of the one told right before."""
    rows = kept(opening, told, held, at="2026-03-02T09:01")
    assert held not in rows
    assert told in rows


@pytest.mark.parametrize("told", ["No, Never", "no, later", "No, Lina.", "wait, I have to go"])
def test_one_word_that_answers_puts_nothing_right(opening: Opening, told: str) -> None:
    """A word that is no other name takes the place of none."""
    held = "my sister is called Lina"
    assert held in kept(opening, told, held, at="2026-03-02T09:01")


DOSES = [
    ("I take 20 mg of Lisinopril", "My dose of Lisinopril is 10 mg now", True),
    ("I'm on 40 mg of Omeprazole", "I'm on 20 mg of Omeprazole now", True),
    ("Günde 20 mg Lisinopril alıyorum", "Lisinopril dozum artık 10 mg", True),
    ("I take 20 mg of Lisinopril", "I take 10 mg of Cetirizine now", False),
    ("I take 20 mg of Lisinopril", "My father takes 10 mg of Lisinopril now", False),
    ("I take 10 mg of Zoloft in the morning", "I take 5 mg of Zoloft in the evening", False),
]


@pytest.mark.parametrize(("held", "told", "over"), DOSES)
def test_a_dose_is_of_one_medicine(opening: Opening, held: str, told: str, over: bool) -> None:
    """A new dose ends the old one of the same medicine at the same time of day, no other."""
    assert (held not in kept(opening, told, held)) == over


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("I run on Mondays", "I swim on Tuesdays now"),
        ("I play guitar on Mondays", "I have choir on Wednesdays now"),
        ("I take vitamin D in the morning", "I take magnesium at night now"),
        ("I water the plants on Mondays", "I water the lawn on Fridays now"),
    ],
)
def test_another_day_is_of_what_is_done_then(opening: Opening, held: str, told: str) -> None:
    """What is done on another day now is another thing, where it is called another."""
    assert held in kept(opening, told, held)


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("The call with Ana is on Tuesday", "The call with Ana was moved to Friday"),
        ("The call with Bo is on Tuesday at 3 pm", "The call with Bo was moved to Friday at 4 pm"),
        ("Bus 42 leaves at 8:10", "Bus 42 leaves at 8:20 now"),
        ("We deploy on Thursdays", "We deploy on Fridays now"),
        ("My son's school starts at 8:40", "My son's school starts at 9 now"),
    ],
)
def test_the_same_but_for_its_value_ends_the_value_before(
    opening: Opening, held: str, told: str
) -> None:
    """A change told in the words of what stands, with another day or time, needs no model's word
    for it."""
    assert held not in kept(opening, told, held)


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("The meeting with Ana is on Tuesday", "The meeting with Bo was moved to Friday"),
        ("The call with Ana is on Tuesday", "The call with Marco was moved to Friday"),
        ("Run 3 takes 40 minutes", "Run 4 takes 55 minutes now"),
        ("Room 12 is booked on Friday", "Room 14 is booked on Monday now"),
        ("Our server 1 has 16 GB", "Our server 2 has 32 GB now"),
        ("Team A meets on Monday", "Team B meets on Tuesday now"),
        ("My daughter's school starts at 8:15", "My son's school starts at 9 now"),
    ],
)
def test_one_word_apart_is_of_another(opening: Opening, held: str, told: str) -> None:
    """A change told of somebody or something else, however alike, ends nothing."""
    assert held in kept(opening, told, held)


@pytest.mark.parametrize("dog", ["My dog's name is Bruno", "Our dog is Bruno", "Bruno is my dog"])
@pytest.mark.parametrize("cat", ["my cat is called Minou", "My cat's name is Minou"])
def test_a_name_is_asked_of_whose_it_is(opening: Opening, dog: str, cat: str) -> None:
    """The dog's name answers first, in whatever words it and the cat's were told."""
    with opening() as memory:
        memory.remember(dog, user="u", at=DAY)
        memory.remember(cat, user="u", at=LATER)
        for question in ("What is my dog called?", "what is the name of my dog?"):
            assert "Bruno" in memory.recall(question, user="u")[0].memory.content


def test_which_to_use_is_no_matter_of_how_to_answer(opening: Opening) -> None:
    """What is used comes before a standing instruction where that is asked, unless the instruction
    itself says which."""
    question = "which package manager should I use?"
    with opening() as memory:
        memory.remember("Always write tests before you commit", user="a", at=DAY)
        memory.remember("We use pnpm, not npm", user="a", at=LATER)
        memory.remember("Always use pnpm as package manager", user="b", at=DAY)
        memory.remember("The package manager cache lives on disk D", user="b", at=LATER)
        used = memory.recall(question, user="a")[0].memory.content
        told = memory.recall(question, user="b")[0].memory.content
    assert used == "We use pnpm, not npm"
    assert told == "Always use pnpm as package manager"


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("We are on Django 4.2", "Upgrade to Django 5.1 is done"),
        ("My phone number is 555-0143", "new number: 555-0199, the old one is dead"),
    ],
)
def test_what_is_done_by_now_is_a_change(opening: Opening, held: str, told: str) -> None:
    """A move that is done and a new number take the place of what was before."""
    assert held not in kept(opening, told, held)


def test_what_a_tool_is_for_asks_for_it(opening: Opening) -> None:
    """A host, a build, a tracker and a chat are asked for by what they are, though only a name of
    that kind was told."""
    with opening() as memory:
        memory.remember("We use Redis for sessions", user="u", at=DAY)
        memory.remember("we moved from netlify to cloudflare pages", user="u", at=LATER)
        memory.remember("Jenkins is history, all runs on GitHub Actions", user="u", at=LATER)
        host = memory.recall("which hosting do we use?", user="u")[0].memory.content
        build = memory.recall("what do we use for CI?", user="u")[0].memory.content
    assert "cloudflare" in host
    assert "GitHub Actions" in build


@pytest.mark.parametrize("asked", ["do I have a boyfriend?", "who is my partner?", "am I single?"])
def test_who_parted_is_asked_for_in_other_words(opening: Opening, asked: str) -> None:
    """Whom somebody is with is asked for by any word for it."""
    with opening() as memory:
        memory.remember("I started dating Pieter", user="u", at=DAY)
        memory.remember("Pieter and I broke up", user="u", at=LATER)
        assert "broke up" in memory.context(asked, user="u").text


@pytest.mark.parametrize(
    "told", ["Karim left last week, Jo is taking over infra", "Jo does infra now"]
)
def test_what_another_does_is_told_behind_a_comma_too(opening: Opening, told: str) -> None:
    """Of two people in one sentence, what the one does stands when it is over for the other."""
    with opening() as memory:
        memory.remember("Nina does our design, Karim does infra", at=DAY)
        memory.remember(told, at=LATER)
        found = texts(memory.recall("who does design?"))
        assert [text for text in found if "Nina" in text] == ["Nina does our design."]
        assert not any("Karim does" in text for text in texts(memory.recall("who does infra?")))


PARTS = [
    ("My bike is a Cube, my car is a Golf", "the Cube was stolen", "My car is a Golf."),
    ("Ana does billing, Tom handles support", "Tom left, Lea handles support", "Ana does billing."),
    ("the api listens on 8080, the admin ui on 8081", "api is on 9090", "8081"),
    ("The kitchen is white, the bedroom blue", "we painted the bedroom green", "kitchen is white."),
    ("The kitchen is white, the bedroom blue", "we painted the kitchen red", "bedroom is blue."),
    ("Emil is 7, Lotte 4", "Emil turned 8", "Lotte is 4."),
    ("I have a car, my wife a bike", "we sold the car", "My wife has a bike."),
    ("I live in Rome, my sister in Milan", "I moved to Turin", "My sister lives in Milan."),
    ("I live in Rome, my sister in Milan", "my sister moved to Turin", "I live in Rome."),
    ("Dr. Weber is my doctor, Dr. Klein my dentist", "my doctor is Dr. Sommer now", "Klein"),
    (
        "I have my piano lesson on Thursdays at 17:00 with Mrs. Hahn",
        "Mrs. Hahn is retiring, my new piano teacher is Mr. Vogt",
        "I have my piano lesson on Thursdays at 17:00.",
    ),
    (
        "it's a celery worker with redis as broker, python 3.12",
        "we moved the broker from redis to rabbitmq",
        "python 3.12",
    ),
]


@pytest.mark.parametrize(("held", "told", "stands"), PARTS)
def test_what_was_told_beside_what_ended_stands(
    opening: Opening, held: str, told: str, stands: str
) -> None:
    """What a sentence says of another thing holds on, also where it has its verb from the clause
    before, and what is done with somebody is done when it was, with whomever now."""
    assert any(stands in one for one in kept(opening, told, held) if one != told)


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("My flight is at 9:40, gate B12", "The flight was moved to 11:20"),
        ("We deploy on Fridays, rarely on Mondays", "We deploy on Thursdays now"),
        ("My sister lives in Rome, near the station", "My sister moved to Milan"),
    ],
)
def test_a_remark_takes_no_verb(opening: Opening, held: str, told: str) -> None:
    """What only says more of the clause before it is made no sentence of its own."""
    assert not any(one.startswith(("Gate", "Rarely", "Near")) for one in kept(opening, told, held))


ANNOUNCED = [
    ("We use npm", "From March we use pnpm"),
    ("We use npm", "We use pnpm from next month on"),
    ("The standup is at 9:30", "From March the standup is at 10:00"),
    ("I work at Siemens", "Starting in March I work at Bosch"),
    ("We use npm", "as of March we use pnpm"),
    ("I work at Siemens", "I start at Bosch in March"),
    ("I work at Siemens as a tester", "I'm starting at Bosch on March 1"),
    ("Siemens'te çalışıyorum", "Mart'ta Bosch'ta işe başlıyorum"),
    ("Oğlum devlet okulunda", "Marttan itibaren oğlum özel okulda"),
]


@pytest.mark.parametrize(("held", "told"), ANNOUNCED)
def test_what_is_announced_in_words_holds_from_then_on(
    opening: Opening, clock: Ticks, held: str, told: str
) -> None:
    """What is to change from a day on is known at once; what it changes holds until that day."""
    clock.now = microseconds("2026-02-10T09:00")
    with opening() as memory:
        memory.remember(held, user="u")
        memory.remember(told, user="u")
        assert set(texts(memory.list(user="u"))) == {held, told}
        clock.now = microseconds("2026-03-02T09:00")
        assert texts(memory.list(user="u")) == [told]
        then = memory.timeline(user="u", as_of="2026-02-20")
    assert set(texts(then)) == {held, told}


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("I work at Siemens", "I start yoga in March"),
        ("I work at Siemens", "I start my German course in March"),
        ("I work at Siemens", "I might start at Bosch in March"),
        ("I work at Siemens", "Tom starts at Bosch in March"),
        ("I study at TU Berlin", "I start at Bosch in March"),
    ],
)
def test_what_begins_later_beside_it_ends_nothing(
    opening: Opening, clock: Ticks, held: str, told: str
) -> None:
    """A course, a supposition or somebody else's new job takes nobody's job, then or later."""
    clock.now = microseconds("2026-02-10T09:00")
    with opening() as memory:
        memory.remember(held, user="u")
        memory.remember(told, user="u")
        clock.now = microseconds("2026-03-02T09:00")
        assert set(texts(memory.list(user="u"))) == {held, told}


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("We use npm", "Since January we use pnpm"),
        ("We use npm", "We use pnpm now, as in the plan from March"),
        ("We have 12 people", "We have 15 people now, the one from March is Ana"),
        ("The standup is at 9:30", "The standup is at 10:00 now, as in the list from March"),
    ],
)
def test_a_day_that_begins_nothing_delays_no_change(
    opening: Opening, clock: Ticks, held: str, told: str
) -> None:
    """A change that holds already ends what was before at once, whatever day it names."""
    clock.now = microseconds("2026-02-10T09:00")
    with opening() as memory:
        memory.remember(held, user="u")
        memory.remember(told, user="u")
        assert texts(memory.list(user="u")) == [told]


ASKED = [
    ("I weigh 84 kilos", "down to 81 kilos, running pays off", "how much do I weigh?"),
    ("I work at Siemens", "today was my first day at Bosch", "where do I work?"),
    (
        "the api listens on 8080, the admin ui on 8081",
        "heads up, api is on 9090 now because 8080 clashed with jenkins",
        "which port does the api listen on?",
    ),
]


@pytest.mark.parametrize(("held", "told", "question"), ASKED)
def test_what_ended_something_is_asked_for_as_that_was(
    opening: Opening, held: str, told: str, question: str
) -> None:
    """Who asks for it in the words of what was before gets what is now, not what stood beside."""
    with opening() as memory:
        for one in (*BESIDE, held):
            memory.remember(one, user="u", at=DAY)
        memory.remember(told, user="u", at=LATER)
        assert memory.recall(question, user="u")[0].memory.content == told
