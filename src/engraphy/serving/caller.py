"""Who asks: a token's grant, and the memory as that token may use it."""

from collections.abc import Mapping

from engraphy.errors import ForbiddenError
from engraphy.memory import Memory
from engraphy.model.granting import Grant, ROLE_RANK, TokenRole
from engraphy.model.kinds import Sensitivity
from engraphy.record import Record

WALLS = ("user", "agent", "project")
_LEAVE = {
    Sensitivity.PUBLIC: (False, False),
    Sensitivity.PRIVATE: (True, False),
    Sensitivity.SECRET: (True, True),
}


class Caller(Record, frozen=True, kw_only=True):
    """One request's caller. `memory` is of the token's tenant, and writes as the token may."""

    grant: Grant
    memory: Memory

    @property
    def walls(self) -> dict[str, str]:
        """The walls that the token is bound to; it may name the others itself."""
        held = {wall: getattr(self.grant, wall) for wall in WALLS}
        return {wall: name for wall, name in held.items() if name is not None}

    def may(self, role: TokenRole) -> bool:
        """Whether the token's role is at least this one."""
        return ROLE_RANK[self.grant.role] >= ROLE_RANK[role]

    def demand(self, role: TokenRole) -> None:
        """Raises ForbiddenError where the token's role is less than this one."""
        if not self.may(role):
            problem = f"it needs the role {role.value}, this one has {self.grant.role.value}"
            raise ForbiddenError(problem=problem)

    def within(self, told: Mapping[str, str | None]) -> dict[str, str]:
        """The walls of a request: the bound ones, and of the others what it names itself. Raises
        ForbiddenError where it names another than the bound one."""
        bound = self.walls
        made = dict(bound)
        for wall in WALLS:
            name = told.get(wall)
            if name is None:
                continue
            if bound.get(wall, name) != name:
                raise ForbiddenError(problem=f"it is bound to one {wall}, and another was named")
            made[wall] = name
        return made

    def leave(self) -> dict[str, bool]:
        """What the token's clearance lets it see beside what is public."""
        private, secret = _LEAVE[self.grant.clearance]
        return {"allow_private": private, "allow_secret": secret}

    def leave_for(self, told: Mapping[str, object]) -> dict[str, bool]:
        """What a request asks to see beside what is public. Raises ForbiddenError where that is
        more than the token's clearance."""
        wanted = {name: bool(told.get(name)) for name in ("allow_private", "allow_secret")}
        allowed = self.leave()
        for name, asked in wanted.items():
            if asked and not allowed[name]:
                problem = f"{name} is more than its clearance, {self.grant.clearance.value}"
                raise ForbiddenError(problem=problem)
        return wanted
