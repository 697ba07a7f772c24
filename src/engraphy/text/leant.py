"""Whether an older statement is what a change is of that leaves that open (`text/leaning.py`).

Precision first: what the change says itself that it is about has to be in the older statement, and
where that gives several values of one kind nobody knows which is meant.
"""

import re

from engraphy.model.language import Stance
from engraphy.text.datafiles import table
from engraphy.text.evidence import stance_of
from engraphy.text.frames import Overtaking
from engraphy.text.gazetteer import lookup
from engraphy.text.leaning import Leaning, leaning, listed_of_held, sign
from engraphy.text.pairing import side
from engraphy.text.parts import apart, part_of, stems, words
from engraphy.text.quantities import fits, meant, quantities, same
from engraphy.text.replacing import told_of_another
from engraphy.text.shaped import shared, values
from engraphy.text.slotvalues import domain_of
from engraphy.text.split import sentences
from engraphy.text.wordlists import key, pattern, plain

_OLDEST = 300
_QUOTES = frozenset('"“”„«»')
_INSTEAD = re.compile(r"\binstead\b", re.IGNORECASE)


def offers(text: str, new: str) -> bool:
    """Whether a text only offers a value, in the place of which the new one takes another."""
    said, found = leaning(new), _offer(text)
    if said is None or said.given is None or found is None or not _about(said, text):
        return False
    return any(fits(said.given, one, "") for one in quantities(_group(found, "v")))


def bargained(old: str, offer: str) -> bool:
    """Whether an offer may be one for what an older statement tells: it is agreed on with others,
    and who offers speaks for its other side, or for nobody by name."""
    found, told = _offer(offer), words(old)
    if found is None or told.isdisjoint(listed_of_held("agreed")):
        return False
    rest, who = stems(_group(found, "rest")), words(_group(found, "who"))
    if rest and shared(rest, stems(old)) < len(rest):
        return False
    sides = (frozenset(map(key, row)) for row in table("leaning")["held"]["parties"])
    known = any(who & side and told & side for side in sides)
    return known or not who or bool(who & (listed_of_held("pronouns") | told))


def _offer(text: str) -> re.Match[str] | None:
    return None if len(text) > _OLDEST else sign("held", "offer").fullmatch(_bare(text))


def gives(text: str, new: str) -> bool:
    """Whether a text gives a value of the kind that the new one changes."""
    said = leaning(new)
    return said is not None and said.given is not None and bool(meant(said.given, quantities(text)))


def leant(new: str, old: str, *, just: bool = False, heard: str = "") -> Overtaking | None:
    """How a text that leaves open what it is of takes the place of an older statement, or None.
    `just`: that was told last before it; else the new one has to say itself that it means it.
    `heard`: what an agent has answered in between."""
    said = leaning(new)
    if said is None or len(old) > _OLDEST or "?" in old or not _about(said, old):
        return None
    if _of_others(new, old, known=said.at_once or bool(said.wrong)):
        return None
    known = just or bool(said.of)
    if said.how == "value":
        return _another_value(said, old, just=known) if _stands(old) else None
    if said.how == "name":
        return _another_choice(said, new, old, heard) if known else None
    if said.how == "called":
        return _another_name(said, old, just=just)
    return _another_side(said, new, old) if just else None


def _of_others(new: str, old: str, *, known: bool) -> bool:
    """Whether the two are about different people; `known`: what is meant
    is the older value, or what was told last, so that "she" is somebody there."""
    if told_of_another(new, old) or (not known and apart(part_of(new), part_of(old))):
        return True
    return bool(side(new).owners - words(old))


def _stands(old: str) -> bool:
    """Whether a text says how things are, and neither quotes nor tells what happened once."""
    if not _QUOTES.isdisjoint(old) or pattern("frames", "episode").search(plain(old)):
        return False
    return all(stance_of(one) is Stance.STATED for one in sentences(old))


def _about(said: Leaning, old: str) -> bool:
    """Whether the older statement is about all that the new one says it is of, and about something
    of each of its clauses before the change."""
    told = stems(old)
    named = stems(said.of)
    if said.of and not (named and shared(named, told) == len(named)):
        return False
    spoken = (stems(one) for one in said.before)
    return all(shared(one, told) > 0 for one in spoken if one)


def _another_value(said: Leaning, old: str, *, just: bool) -> Overtaking | None:
    held, given = quantities(old), said.given
    if given is None:
        return None
    loose = not (said.wrong or said.of or said.of_any)
    if loose and sign("held", "unset").search(plain(old).lower()):
        return None
    known = [one for one in held if any(same(one, wrong) for wrong in said.wrong)]
    if said.wrong and not known:
        return None
    just = just or any(one.unit for one in known)
    found = known or meant(given, held)
    if not just or len(found) != 1 or not fits(given, found[0], said.way):
        return None
    # Another value of the kind beside it, of which the older says nothing, is of something else.
    foreign = [one for one in said.beside if one.kind == given.kind]
    if not all(any(same(one, other) for other in held) for one in foreign):
        return None
    return _over(old, given.form)


def _another_choice(said: Leaning, new: str, old: str, heard: str) -> Overtaking | None:
    """What was only thought of gives way to what was chosen, and so does the one tool of a domain,
    or the place where something was to be."""
    found = sign("held", "proposed").search(plain(old).lower())
    if found is None:
        return _another_tool(said, old) or _another_place(said, new, old)
    thought = next(one for one in found.groups() if one)
    if stems(thought) & stems(said.new) or thought.split()[0].endswith("ing"):
        return None
    answered = words(said.new) <= words(heard)
    if not answered and not _may_name(said, new):
        return None
    mine, theirs = lookup(said.new), lookup(thought)
    if mine is not None and mine.kind == "tech" and (theirs is None or theirs.kind != "tech"):
        return None
    if domain_of(said.new) and domain_of(thought):
        instead = domain_of(said.new) == domain_of(thought)
    else:
        contrast = sign("held", "contrast").search(plain(new).lower())
        instead = bool(said.of or contrast or answered)
    return _over(old, said.new) if instead else None


def _another_tool(said: Leaning, old: str) -> Overtaking | None:
    domain = domain_of(said.new)
    known = [one.form for one in values(old) if one.kind == "name" and domain_of(one.form)]
    alike = domain and [domain_of(one) for one in known] == [domain]
    return _over(old, said.new) if alike and known != [said.new] and _stands(old) else None


def _another_place(said: Leaning, new: str, old: str) -> Overtaking | None:
    """Where or with whom something is, where the new one says "instead", and for what."""
    found = sign("held", "with").fullmatch(_bare(old))
    if not said.of or found is None or not _INSTEAD.search(new):
        return None
    there = not quantities(_group(found, "n")) and not stems(_group(found, "n")) & stems(said.new)
    return _over(old, said.new) if there and stems(said.of) <= stems(_group(found, "s")) else None


def _another_name(said: Leaning, old: str, *, just: bool) -> Overtaking | None:
    """The statement that a thing is called as it no longer is."""
    found = _called(old)
    if found is None or _group(found, "s") == "my":
        return None
    known = _renames(said, found) if said.old else just
    return _over(old, said.new) if known and _group(found, "n") != said.new else None


def renames(new: str) -> bool:
    """Whether a text says that something is called otherwise from now on."""
    said = leaning(new)
    return said is not None and said.how == "called"


def names_only(text: str) -> bool:
    """Whether a text says no more than how something is called."""
    return _called(text) is not None


def renames_another(new: str, old: str) -> bool:
    """Whether the new text gives another name to something else than what an older one names."""
    said, found = leaning(new), _called(old)
    if said is None or found is None or said.how != "called" or not said.old:
        return False
    return not _renames(said, found)


def _renames(said: Leaning, found: re.Match[str]) -> bool:
    """Whether what is renamed is what a statement names, or its name there."""
    thing = stems(said.old)
    of_it = bool(thing) and thing <= stems(_group(found, "s"))
    return of_it or said.old == _group(found, "n")


def _called(text: str) -> re.Match[str] | None:
    return None if len(text) > _OLDEST else sign("held", "called").fullmatch(_bare(text))


def _another_side(said: Leaning, new: str, old: str) -> Overtaking | None:
    """The statement with whom something is that is with somebody else now."""
    found = sign("held", "with").fullmatch(_bare(old))
    if found is None or words(_group(found, "s")).isdisjoint(listed_of_held("provided")):
        return None
    name = _group(found, "n")
    named = _is_name(said.new, new) and _is_name(name, old)
    return _over(old, said.new) if named and name != said.new else None


def _may_name(said: Leaning, text: str) -> bool:
    """Whether what is chosen may be a name: it is known, or spelled as one, or one bare word."""
    if lookup(said.new) is not None:
        return True
    if said.spoken == "de":
        return not said.common  # capitals tell nothing there
    return _spelled_as_name(said.new, text) or not (said.common or " " in said.new)


def _is_name(name: str, text: str) -> bool:
    """Whether words of a text are somebody's name, known or spelled as one; no tool's."""
    known = lookup(name)
    return known.kind == "org" if known is not None else _spelled_as_name(name, text)


def _spelled_as_name(name: str, text: str) -> bool:
    """Whether each word of a name has its capital in a text."""
    place = plain(text).lower().find(name)
    said = text[place : place + len(name)].split()
    return place >= 0 and all(one[:1].isupper() for one in said) and not quantities(name)


def _bare(text: str) -> str:
    return plain(text).lower().rstrip(".! ")


def _over(old: str, value: str) -> Overtaking:
    return Overtaking(subject=" ".join(sorted(stems(old))) or key("it"), value=value, negated=False)


def _group(found: re.Match[str], name: str) -> str:
    """What one of the alternatives found under a name, which may have a number behind it."""
    said = (v for k, v in found.groupdict().items() if v and k.rstrip("0123456789") == name)
    return next(said, "")
