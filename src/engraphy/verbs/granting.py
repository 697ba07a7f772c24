"""The verbs about access tokens: who may come in through a door of a server, and as what (D-71)."""

from engraphy.engine import granting, scoping
from engraphy.engine.granting import Wanted
from engraphy.errors import InvalidInputError
from engraphy.model import Origin, Sensitivity
from engraphy.model.granting import Grant, Granted, TokenRole
from engraphy.verbs.base import Verbs

_ROLES = tuple(one.value for one in TokenRole)
ORIGINS = tuple(
    one.value for one in (Origin.USER, Origin.AGENT, Origin.TOOL, Origin.WEB, Origin.IMPORT)
)
_LEVELS = tuple(one.value for one in Sensitivity)
_MOST_DAYS = 36_500.0


class Granting(Verbs):
    """Tokens of this memory's tenant. What whoever opened the file does needs none."""

    def grant(
        self,
        name: str,
        *,
        role: str = TokenRole.WRITE.value,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        origin: str = Origin.USER.value,
        clearance: str | None = None,
        days: float | None = None,
    ) -> Granted:
        """Make a token; its text is told this once and kept nowhere.

        `name`: what you know it by. `role`: read, write or admin. `user`, `agent`, `project`: the
        walls that it is bound to (none where the role is admin); its holder names the others.
        `origin`: the most that what it writes may count as: user, agent, tool, web or import.
        `clearance`: the highest sensitivity it may see: public (secret where the role is admin and
        nothing is said), private or secret. `days`: until it ends; None: until it is revoked.
        Raises InvalidInputError, ForbiddenError.
        """
        told = scoping.name("name", name)
        if told is None:
            raise InvalidInputError(field="name", got="nothing", allowed="what you know it by")
        may = TokenRole(scoping.one_of("role", role, _ROLES))
        usual = Sensitivity.SECRET if may is TokenRole.ADMIN else Sensitivity.PUBLIC
        level = usual.value if clearance is None else clearance
        keys = {"user": user, "agent": agent, "project": project}
        if may is TokenRole.ADMIN and any(value is not None for value in keys.values()):
            allowed = "no wall: an admin looks after the whole tenant"
            raise InvalidInputError(field="role", got="admin, bound to a wall", allowed=allowed)
        lasts = None if days is None else scoping.number("days", days, _MOST_DAYS)
        if lasts == 0:
            allowed = "more than none, or None: until it is revoked"
            raise InvalidInputError(field="days", got="0", allowed=allowed)
        wanted = Wanted(
            name=told,
            role=may,
            walls={key: scoping.name(key, value) for key, value in keys.items()},
            origin=Origin(scoping.one_of("origin", origin, ORIGINS)),
            clearance=Sensitivity(scoping.one_of("clearance", level, _LEVELS)),
            days=lasts,
        )
        return granting.grant(self._engine, wanted)

    def grants(self) -> list[Grant]:
        """The tokens of this tenant, those that are over too, oldest first; never their texts.
        Raises ForbiddenError on behalf of who is no admin."""
        return granting.listed(self._engine)

    def revoke(self, id: str) -> Grant:
        """End a token at once, by its id or its text; once more is no error. Raises
        UnknownGrantError."""
        return granting.revoke(self._engine, scoping.text("id", id))

    def identify(self, token: str) -> Grant:
        """Whose a token is, of whatever tenant of the file; its use is noted, once in five minutes.
        Raises NotAllowedError, which says the same of a token that is unknown, wrong, over or
        revoked."""
        return granting.identify(self._engine, token)
