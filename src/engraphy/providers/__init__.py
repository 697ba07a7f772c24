"""Embedders and what stands before them, each in its own module, loaded when it is asked for.

``static`` needs numpy only and is the default; ``minilm`` and ``multilingual`` need their extra;
``openai_compatible`` and ``custom`` bring the user's own model; ``cache`` goes before any of them.
"""

__all__: list[str] = []
