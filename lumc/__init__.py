"""lumc: a compiler from plain tensor math to fast GPU programs."""

__version__ = "0.1.0"
