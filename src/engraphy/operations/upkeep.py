"""The operations that keep the file small and quick, and its vectors those of one model."""

from msgspec.structs import replace

from engraphy.errors import InvalidInputError
from engraphy.memory import Memory
from engraphy.model.vectors import Reembedded
from engraphy.operations.shape import Argument, Operation, SCOPE, Values, call


def _reembed(memory: Memory, values: Values) -> Reembedded:
    wanted = [name for name in ("model", "back", "drop_old") if values.get(name)]
    if len(wanted) > 1:
        allowed = "one of model, back and drop_old at a time"
        raise InvalidInputError(field=wanted[1], got="given", allowed=allowed)
    if values.get("back"):
        return memory.reembed_back()
    if values.get("drop_old"):
        return memory.drop_old_vectors()
    made = memory.reembed(model=values.get("model"))
    return replace(memory.vectors(), made=made)


UPKEEP: tuple[Operation, ...] = (
    Operation(
        name="compact",
        help="Merge what says the same, put the indexes in order and give disk space back.",
        arguments=(
            Argument(name="dry_run", type="flag", help="show what it would do"),
            *SCOPE,
        ),
        run=call("compact"),
    ),
    Operation(
        name="reembed",
        help="Compute all vectors anew; the old ones answer until the new ones are complete.",
        arguments=(
            Argument(
                name="model",
                help="with this embedder: static, minilm, multilingual or provider/model",
            ),
            Argument(name="back", type="flag", help="go back to the vectors that answered before"),
            Argument(name="drop_old", type="flag", help="remove vectors that no longer answer"),
        ),
        run=_reembed,
    ),
)
