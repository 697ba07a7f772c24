"""The settings of coding agents: what they must say for an agent to use this memory."""

from engraphy.agents.doing import Keeper
from engraphy.agents.places import Places, Program, told
from engraphy.agents.planning import Edit, installed, is_installed, stopped, uninstalled
from engraphy.agents.shape import Agent, agent, agents

__all__ = [
    "Agent",
    "Edit",
    "Keeper",
    "Places",
    "Program",
    "agent",
    "agents",
    "installed",
    "is_installed",
    "stopped",
    "told",
    "uninstalled",
]
