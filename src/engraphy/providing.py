"""What a memory is given beside its store: an embedder, a model, a reranker, a log.

Heavy modules are loaded here by their dotted name, and only when they are used.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.engine.recognising import name_of
from engraphy.engine.scoping import path as checked_path
from engraphy.errors import EmbedderMismatchError, InvalidInputError, SettingsError
from engraphy.model import Tenant
from engraphy.model.vectors import ServedModel
from engraphy.ports import Clock, Embed, FindPersonal, LanguageModel, OpsLog, Rerank
from engraphy.profile import Model, Ops
from engraphy.profile.pii import Pii
from engraphy.settings import Settings, is_server

_SHIPPED: Mapping[str, tuple[str, str]] = {
    "static": ("engraphy.providers.static", "StaticEmbedder"),
    "minilm": ("engraphy.providers.minilm", "MiniLMEmbedder"),
    "multilingual": ("engraphy.providers.multilingual", "MultilingualEmbedder"),
}
_CHOICES = (
    "none, static, minilm, multilingual, provider/model, a callable, or an object with "
    "embed_documents, embed_query, dim and model_id"
)


def open_personal(knobs: Pii) -> FindPersonal | None:
    """What finds personal data; None where the profile looks for none. Raises MissingExtraError."""
    if not knobs.acts:
        return None
    found: FindPersonal = attribute("engraphy.providers.personal", "finder")(knobs.regions)
    return found


def runs_here(spec: str) -> bool:
    """Whether an embedder of this name runs in this process, and nothing is sent anywhere."""
    return spec in _SHIPPED


def open_embedder(
    choice: object, environment: Settings, clock: Clock, name: str | None = None
) -> Embed | None:
    """The embedder a caller or the environment chose; None where there is to be none. `name`: of
    one that was given as code."""
    wanted = environment.embedder if choice is None else choice
    if wanted is False or wanted == "none":
        return None
    if isinstance(wanted, str) and wanted in _SHIPPED:
        shipped: Embed = attribute(*_SHIPPED[wanted])()
        return shipped if wanted == "static" else _cached(shipped, clock)
    if isinstance(wanted, str) and "/" in wanted:
        endpoint = attribute("engraphy.providers.openai_compatible", "from_spec")(
            wanted, base_url=environment.base_url, api_key=environment.api_key
        )
        return _cached(endpoint, clock)
    if callable(wanted) or hasattr(wanted, "embed_documents"):
        return _cached(
            attribute("engraphy.providers.custom", "adapted")(wanted, model_id=name), clock
        )
    raise InvalidInputError(field="embedder", got=repr(wanted)[:60], allowed=_CHOICES)


def recognised(engine: Engine, choice: object, environment: Settings) -> Engine:
    """The engine with its embedder, which `choice` was opened as: where that is code without a
    name, under the name of the stored vectors that it makes, or under one of its own (P-06)."""
    is_code = choice is not None and not isinstance(choice, str | bool)
    if engine.embedder is None or not is_code or getattr(choice, "model_id", None):
        return engine
    named = open_embedder(choice, environment, engine.clock, name_of(engine))
    return replace(engine, embedder=named)


def answering(engine: Engine, choice: object, environment: Settings, *, reembed: bool) -> Engine:
    """The engine with the embedder whose vectors answer, in its tenant and in those it is opened
    over later. `reembed`: vectors of another model are not refused. Raises EmbedderMismatchError.
    """
    held: dict[Tenant, tuple[ServedModel | None, Engine]] = {}

    def serving(tenant: Tenant) -> Engine:
        served = engine.store.served_model(tenant)
        known = held.get(tenant)
        if known is None or known[0] != served:
            there = replace(engine, tenant=tenant)
            known = held[tenant] = served, _served(there, choice, environment, reembed=reembed)
        return known[1]

    if engine.embedder is None:
        return engine
    return replace(serving(engine.tenant), serving=serving)


def _served(engine: Engine, choice: object, environment: Settings, *, reembed: bool) -> Engine:
    served = engine.store.served_model(engine.tenant)
    if choice is None and not environment.embedder_is_told:
        engine = _following(engine, served, environment)
    engine = recognised(engine, choice, environment)
    if not reembed:
        _check_model(engine, served)
    return engine


def _following(engine: Engine, served: ServedModel | None, environment: Settings) -> Engine:
    """Where nobody asked for another embedder, the one whose vectors the store says answer, if it
    runs here: what stands in a file has no text sent anywhere."""
    assert engine.embedder is not None
    if served is None or not runs_here(served.spec) or served.model == engine.embedder.model_id:
        return engine
    named = open_embedder(served.spec, environment, engine.clock)
    return replace(engine, embedder=named, embedder_spec=served.spec)


def _check_model(engine: Engine, served: ServedModel | None) -> None:
    """Vectors of another model would be searched as noise (P-06): refuse instead."""
    assert engine.embedder is not None
    stored = [served.model] if served else engine.store.stored_models(engine.tenant)
    if stored and engine.embedder.model_id not in stored:
        names = ", ".join(sorted(stored))
        raise EmbedderMismatchError(stored=names, model=engine.embedder.model_id)


def spec_of(choice: object, environment: Settings) -> str:
    """What an embedder was asked for by; "" where it was given as code."""
    wanted = environment.embedder if choice is None else choice
    return wanted if isinstance(wanted, str) else ""


def open_model(choice: object, environment: Settings, knobs: Model) -> LanguageModel | None:
    """The language model a caller or the environment chose; None where there is to be none, which
    is so unless somebody asks for one (R-12). Nothing is connected to yet."""
    wanted = environment.model if choice is None else choice
    if wanted is False or wanted in ("none", ""):
        return None
    if knobs.daily_cost and not knobs.prompt_price and not knobs.answer_price:
        problem = "without model.prompt_price and model.answer_price nobody can keep to it"
        raise SettingsError(setting="model.daily_cost", problem=problem)
    own: LanguageModel = attribute("engraphy.providers.bounded", "adapted")(
        _endpoint(wanted, environment, knobs) if isinstance(wanted, str) else wanted
    )
    return own


def open_reranker(choice: object, environment: Settings) -> Rerank | None:
    """The reranker a caller or the environment chose; None where there is to be none, which is so
    unless somebody asks for one. Nothing is connected to yet, and nothing is ever fetched."""
    wanted = environment.reranker if choice is None else choice
    if wanted is False or wanted in ("none", ""):
        return None
    own: Rerank
    if isinstance(wanted, str | Path):
        own = _named_reranker(wanted, environment)
    else:
        own = attribute("engraphy.providers.reranking", "adapted")(wanted)
    return own


def _named_reranker(wanted: str | Path, environment: Settings) -> Rerank:
    folder = Path(checked_path(wanted)).expanduser()
    own: Rerank
    if folder.is_dir():
        own = attribute("engraphy.providers.cross_encoder", "from_folder")(folder)
    else:
        own = attribute("engraphy.providers.rerank_endpoint", "from_spec")(
            str(wanted),
            base_url=environment.reranker_base_url,
            api_key=environment.reranker_api_key,
        )
    return own


def _endpoint(spec: str, environment: Settings, knobs: Model) -> object:
    return attribute("engraphy.providers.chat", "from_spec")(
        spec,
        base_url=environment.model_base_url,
        api_key=environment.model_api_key,
        usual_keys=environment.usual_keys,
        answer_tokens=knobs.answer_tokens,
        retries=knobs.retries,
    )


def open_ops_log(file: str, environment: Settings, knobs: Ops) -> OpsLog | None:
    """The log of operations beside the store at `file`, or where the profile or the environment
    want it; None where there is to be none. Nothing is written yet, and nothing can go wrong."""
    wanted = environment.ops_log or ("on" if knobs.log else "none")
    if wanted == "none":
        return None
    beside = environment.home if is_server(file) else Path(file).parent
    path = beside / Path(knobs.path if wanted == "on" else wanted).expanduser()
    log: OpsLog = attribute("engraphy.providers.opslog", "JsonLines")(
        path,
        clock=attribute("engraphy.providers.clock", "now"),
        rotate_bytes=knobs.rotate_bytes,
    )
    return log


def _cached(embedder: Embed, clock: Clock) -> Embed:
    """Models cost milliseconds or money per call, so their answers are kept (D-29); the static
    table is quicker than the cache's key."""
    cache = attribute("engraphy.providers.cache", "EmbeddingCache")(clock)
    cached: Embed = attribute("engraphy.providers.cache", "cached")(embedder, cache)
    return cached


def attribute(module: str, name: str) -> Callable[..., Any]:
    """Something heavy by its dotted name, loaded when it is first used."""
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found
