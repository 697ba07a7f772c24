"""Somebody else's same thing, and where a thing is or what is done with it, end nothing."""

import pytest
from tests.engine.conftest import Shared, Standing

STAYS = [
    ("My shoe size is 43", "My son's shoe size is 31 now"),
    ("I weigh 80 kg", "My dog weighs 30 kg now"),
    ("My flat has three rooms", "My parents' flat has two rooms now"),
    ("I pay 900 euros rent", "My brother pays 980 euros rent now"),
    ("My flight is at 9", "My mother's flight is at 11 now"),
    ("I sleep 7 hours", "The baby sleeps 10 hours now"),
    ("I go to the gym on Mondays", "My wife goes to the gym on Tuesdays now"),
    ("My brother works at Acme", "I work at Globex now"),
    ("Tom works at Acme", "I work at Globex now"),
    ("Anna lives in Graz", "I live in Vienna now"),
    ("O aluguel é de 900 euros", "O aluguel da minha irmã subiu para 980 euros"),
    ("My bike is a blue Cube", "I ride the bike to work now"),
    ("My bike is a blue Cube", "I lent the bike to Tom"),
    ("My bank is Erste", "The bank is closed on Mondays now"),
    ("My guitar is a Fender", "I play the guitar every day now"),
    ("I drink oat milk", "The oat milk is in the fridge now"),
    ("I use a Moonlander keyboard", "The keyboard is in the office now"),
    ("The car is insured with Ethias", "The car is parked on the street now"),
    ("My phone is a Pixel 8", "My phone is on the kitchen table"),
    ("My phone is a Pixel 8", "My phone number is 0664 112233"),
    ("My mother is vegetarian", "I'm vegan now"),
    ("I'm vegan", "My mother isn't vegan anymore"),
    ("My passport expires in 2029", "Ida's passport expires in 2027 now"),
    ("My hourly rate is 80 euros", "The plumber's hourly rate is 95 euros now"),
    ("My kids are in bed at 8", "I go to bed at 11 now"),
    ("The code of the garage is 4417", "The code of the shed is 5520 now"),
    ("My bike lock code is 1234", "The code for the alarm is 9876 now"),
    ("The garage door code is 4417", "The front door code is 8821 now"),
    ("My Netflix password hint is dog", "My Spotify password hint is cat now"),
    ("The meeting room is on floor 3", "The canteen is on floor 2 now"),
    ("I eat lunch at 12", "I eat dinner at 7 now"),
    ("I play tennis with Tom", "I play chess with Lea now"),
    ("My favourite film is Alien", "My favourite book is Dune now"),
    ("I subscribe to Netflix", "I cancelled Spotify"),
    ("Vejetaryen olduğumu unutma", "Dişçi randevumu iptal ettim"),
    ("Mein Fahrrad ist ein blaues Cube", "Das Fahrrad steht im Keller"),
]
ENDS = [
    ("My wife works at Acme", "My wife works at Globex now"),
    ("Tom works at Acme", "He works at Globex now"),
    ("My sister lives in Graz", "She lives in Linz now"),
    ("I live in Graz", "My wife and I live in Vienna now"),
    ("The baby sleeps in our room", "The baby sleeps in the nursery now"),
    ("My sister's rent is 900 euros", "My sister's rent is 980 euros now"),
    ("My son wears size 30", "My son wears size 31 now"),
    ("My bike is a blue Cube", "My bike is a red Trek now"),
    ("My bike is a blue Cube", "I sold the bike"),
    ("My oven is a Miele", "The oven is a Bosch now"),
    ("My phone is a Pixel 8", "My phone is an iPhone 15 now"),
    ("My phone is 0664 112233", "My phone is 0676 998877 now"),
    ("I'm vegan", "I'm not vegan anymore"),
    ("Ida's passport expires in 2027", "Ida's passport expires in 2037 now"),
    ("The code of the garage is 4417", "The code of the garage is 5520 now"),
    ("My bike lock code is 1234", "My bike lock code is 9876 now"),
    ("The meeting room is on floor 3", "The meeting room is on floor 2 now"),
    ("I eat lunch at 12", "I eat lunch at 1 now"),
    ("I play tennis with Tom", "I play tennis with Lea now"),
    ("My favourite film is Alien", "My favourite film is Heat now"),
    ("I subscribe to Netflix", "I cancelled Netflix"),
    ("I smoke a pack a day", "I quit smoking"),
    ("My bank is Erste", "My bank is Raiffeisen now"),
    ("The keyboard is broken", "The keyboard is fixed now"),
    ("The venue is the Plaza", "The venue is at the Hilton now"),
]


@pytest.mark.parametrize(("old", "new"), STAYS)
def test_what_is_told_of_another_or_of_a_use_ends_nothing(
    standing: Standing, old: str, new: str
) -> None:
    """Told one right after the other, both hold."""
    assert {*standing(old, new)} == {old, new}


@pytest.mark.parametrize(("old", "new"), ENDS)
def test_another_value_of_the_same_persons_thing_ends_the_older(
    standing: Standing, old: str, new: str
) -> None:
    """The same words where they are about the same thing of the same person."""
    assert standing(old, new) == [new]


def test_where_a_phone_is_is_not_its_number(shared: Shared, user: str) -> None:
    """A number and a model are two facts, and a place is none."""
    memory = shared()
    for text in ("My phone is a Pixel 8", "My phone is 0664 112233", "My phone is on the table"):
        memory.observe(text, user=user)
    facts = {(one.predicate, one.object) for one in memory.facts(user=user)}
    assert facts == {("phone model", "pixel 8"), ("phone", "0664 112233")}
