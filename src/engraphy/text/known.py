"""What a function said of words: it is asked of each word of each text, and takes longer than a
look into a table."""

from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


class Known(dict[str, Value]):
    """What a function says of words, made when it is first asked for; of so many words at most,
    then anew."""

    MOST = 32_768

    def __init__(self, function: Callable[[str], Value]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> Value:
        if len(self) >= self.MOST:
            self.clear()
        value = self[word] = self._function(word)
        return value
