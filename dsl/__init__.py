"""Text to tensor program: grammar, checks, diagnostics and elaboration of ``.lum`` files."""

from lumc.dsl.spec import Spec, check, elaborate, load_spec, load_text

__all__ = ["Spec", "check", "elaborate", "load_spec", "load_text"]
