"""The only reader of the environment: where the store is, and how to speak to the user."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import platformdirs

from engraphy.errors import SettingsError

_DATABASE = "memory.db"


class Settings(NamedTuple):
    """What the environment says. Every other number is profile data."""

    home: Path
    """ENGRAPHY_HOME, or the user's data folder."""
    profile: str
    """ENGRAPHY_PROFILE."""
    tenant: str
    """ENGRAPHY_TENANT."""
    embedder: str
    """ENGRAPHY_EMBEDDER: static, none, minilm, multilingual or provider/model."""
    api_key: str | None
    """ENGRAPHY_API_KEY, for an embeddings endpoint."""
    base_url: str | None
    """ENGRAPHY_BASE_URL, for an embeddings endpoint."""

    @property
    def database(self) -> Path:
        """The store's file where no path is given."""
        return self.home / _DATABASE


def settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of the environment. Raises SettingsError where a value is unusable."""
    env = os.environ if environment is None else environment
    home = env.get("ENGRAPHY_HOME") or platformdirs.user_data_dir("engraphy", appauthor=False)
    folder = Path(home).expanduser()
    if folder.exists() and not folder.is_dir():
        raise SettingsError(setting="ENGRAPHY_HOME", problem=f"{folder} is not a folder")
    return Settings(
        home=folder,
        profile=env.get("ENGRAPHY_PROFILE") or "default",
        tenant=env.get("ENGRAPHY_TENANT") or "default",
        embedder=env.get("ENGRAPHY_EMBEDDER") or "static",
        api_key=env.get("ENGRAPHY_API_KEY"),
        base_url=env.get("ENGRAPHY_BASE_URL"),
    )
