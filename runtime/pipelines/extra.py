"""Packages that only pipelines need; lumc installs without them."""

from __future__ import annotations

import importlib
from typing import Any

from lumc.diagnostics import Diagnostic, LumcError


class MissingPackageError(LumcError):
    """A package of the extra ``pipelines`` is not installed."""


def pipeline_package(module: str, package: str) -> Any:
    """The module called ``module``, which comes with ``package``.

    Raises:
        MissingPackageError: it can't be imported.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"the Python package {package} can't be used: {error}"
        hint = "install what pipelines need: pip install 'lumc[pipelines]'"
        raise MissingPackageError(Diagnostic("G002", message, hint=hint)) from None
