"""Knobs: the numbers in which the five profiles differ, and nothing else."""

from engraphy.profile.aim import Aim
from engraphy.profile.condense import Condense
from engraphy.profile.dream import Dream
from engraphy.profile.files import Files
from engraphy.profile.gate import Gate
from engraphy.profile.inject import Format, Hot, Inject, Layer
from engraphy.profile.links import Boost, Graph, Reinforce
from engraphy.profile.loading import as_tree, differences, load, merged, names
from engraphy.profile.model import Model
from engraphy.profile.ops import Ops
from engraphy.profile.questions import Questions, Route
from engraphy.profile.registry import capabilities, without
from engraphy.profile.schema import (
    Form,
    Fuse,
    Judge,
    Profile,
    Relate,
    Search,
    Tag,
    Weigh,
    Write,
)
from engraphy.profile.score import Score
from engraphy.profile.sessions import Sessions, Working
from engraphy.profile.variables import Variable, overridden, tables, variables

__all__ = [
    "Aim",
    "Boost",
    "Condense",
    "Dream",
    "Files",
    "Form",
    "Format",
    "Fuse",
    "Gate",
    "Graph",
    "Hot",
    "Inject",
    "Judge",
    "Layer",
    "Model",
    "Ops",
    "Profile",
    "Questions",
    "Reinforce",
    "Relate",
    "Route",
    "Score",
    "Search",
    "Sessions",
    "Tag",
    "Variable",
    "Weigh",
    "Working",
    "Write",
    "as_tree",
    "capabilities",
    "differences",
    "load",
    "merged",
    "names",
    "overridden",
    "tables",
    "variables",
    "without",
]
