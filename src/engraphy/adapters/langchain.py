"""LangChain: a retriever over the memory, and a chat history that is learnt from.

    from engraphy.adapters.langchain import EngraphyChatMessageHistory, EngraphyRetriever

    retriever = EngraphyRetriever(memory="memory.db", user="ann", k=4)
    retriever.invoke("What does she drink?")

    chain = RunnableWithMessageHistory(
        model, lambda session: EngraphyChatMessageHistory(session, memory="memory.db", user="ann"))

`memory` is an opened `Memory`, a path, or None for the user's own; open it once and share it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engraphy.adapters.turns import Companion, Transcript, message
from engraphy.adapters.walls import Walls, opened
from engraphy.errors import MissingExtraError
from engraphy.memory import Memory
from engraphy.model import Hit
from engraphy.text.moments import iso

try:
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
    from langchain_core.retrievers import BaseRetriever
    from pydantic import ConfigDict, PrivateAttr
except ImportError as error:
    raise MissingExtraError(extra="langchain") from error

SHELF = "langchain"


class EngraphyRetriever(BaseRetriever):
    """What answers a query, best first: at most `k`, of these walls. Each document carries its
    memory's id, and score, kind and moment in its metadata."""

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    memory: Any = None
    user: str | None = None
    agent: str | None = None
    project: str | None = None
    k: int | None = None
    min_score: float | None = None
    _opened: Memory = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Open the memory once."""
        super().model_post_init(context)
        self._opened = opened(self.memory)

    def _get_relevant_documents(self, query: str, **given: Any) -> list[Any]:
        hits = self._opened.recall(
            query,
            limit=given.get("k", self.k),
            min_score=self.min_score,
            user=self.user,
            agent=self.agent,
            project=self.project,
        )
        return [_document(hit) for hit in hits]


class EngraphyChatMessageHistory(BaseChatMessageHistory):
    """The messages of one session, in their order; `observe=False` learns nothing from them."""

    def __init__(
        self,
        session_id: str,
        memory: Memory | str | Path | None = None,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        observe: bool = True,
    ) -> None:
        self.session_id = session_id
        self.memory = opened(memory)
        walls = Walls(user=user, agent=agent, project=project)
        inside = walls.apart(project or SHELF, session_id)
        self._turns = Transcript(self.memory, inside, SHELF)
        self._companion = Companion(self.memory, walls)
        self._observe = observe

    @property
    def messages(self) -> list[BaseMessage]:
        """Every message, oldest first."""
        return list(messages_from_dict(self._turns.read()))

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Add messages; what people and the model said is observed in the background."""
        self._turns.add([(message_to_dict(one), str(one.text)) for one in messages])
        if self._observe:
            said = [message(one.type, str(one.text)) for one in messages]
            self._companion.learn(said, self.session_id)

    def clear(self) -> None:
        """Take every message out; what was learnt from them stays."""
        self._turns.clear()


def _document(hit: Hit) -> Any:
    held = hit.memory
    told = {"score": hit.score, "kind": held.kind.value, "at": iso(held.valid_from)}
    return Document(id=held.id, page_content=held.content, metadata=told)
