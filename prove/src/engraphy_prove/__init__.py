"""Proves the reliability promises of engraphy. A developer tool; no part of the product."""

__all__: list[str] = []
