"""The parts of the store conformance suite; `engraphy.testing.StoreConformance` is their sum."""

__all__: list[str] = []
