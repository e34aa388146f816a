"""Lowering: tensor programs to kernel programs, by equality saturation and search."""

from lumc.lowering.lower import Lowered, lower

__all__ = ["Lowered", "lower"]
