from __future__ import annotations

import os
import os.path
import numpy as np, a.b.c as abc, x.y
from . import sibling
from .. import parent as up
from .mod import one, two as deux
from ..pkg.sub import *
from package import (
    first,
    second as zweite,
)
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .types import Only
else:
    Only = None

try:
    import fast as impl
except ImportError:
    import slow as impl

if os.name == "nt":
    import winreg


def lazy():
    import json
    from .deep import thing

    return json, thing


plugin = importlib.import_module("plugins.first")
other = importlib.import_module(name)
third = __import__("third")
