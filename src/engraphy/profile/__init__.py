"""Knobs: the numbers in which the five profiles differ, and nothing else."""

from engraphy.profile.loading import as_tree, differences, load, merged, names
from engraphy.profile.schema import (
    Dream,
    Form,
    Fuse,
    Gate,
    Inject,
    Judge,
    Layer,
    Model,
    Profile,
    Reinforce,
    Score,
    Search,
    Weigh,
    Write,
)

__all__ = [
    "Dream",
    "Form",
    "Fuse",
    "Gate",
    "Inject",
    "Judge",
    "Layer",
    "Model",
    "Profile",
    "Reinforce",
    "Score",
    "Search",
    "Weigh",
    "Write",
    "as_tree",
    "differences",
    "load",
    "merged",
    "names",
]
