"""Stores: engines behind the port `engraphy.ports.Store`. Import the engine you mean."""

__all__: list[str] = []
