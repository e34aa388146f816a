"""How large a spec may be. Each limit is checked before the memory or time is spent."""

from __future__ import annotations

FILE_BYTES = 256_000
FILES = 64
"""Files that a spec reads through ``use``."""
ITEM_WORDS = 50_000
"""Words and signs of one definition, stage or other top-level item."""
BLOCK_DEPTH = 32
"""Statements within statements."""
EXPRESSION_DEPTH = 100
"""Expressions within expressions, in the text."""
CALL_DEPTH = 50
"""Definitions that call definitions."""
EVALUATION_DEPTH = 600
"""Evaluations within evaluations, through calls."""
ROUNDS = 10_000
"""Rounds of one loop."""
STEPS = 500_000
"""Statements run and expressions evaluated for all stages of a spec: some seconds."""
NODES = 100_000
"""Nodes of one tensor program."""
PIECES = 4_096
"""Pieces that define one tensor."""
PIECE_PAIRS = 100_000
"""Pairs of pieces that are compared by a general argument."""
RANK = 16
"""Axes of one value, its context included."""
AXIS_SIZE = 2**31 - 1
ELEMENTS = 2**48
"""Elements of one tensor."""
WHOLE_NUMBER = 2**63
"""Whole numbers at compile time lie between minus and plus this."""
NAME = 100
"""Characters of a name."""
TEXT = 1_000
"""Characters of a text at compile time."""
POINTS = 2**62
"""Points at which one operation is computed, reduced axes included."""
LIST = 10_000
"""Entries of a list."""
SYNTAX_ERRORS = 20
"""Syntax errors reported per file."""
ERRORS = 50
"""Errors collected before a stage is given up."""
EXHAUSTIVE_CHECK = 2**22
"""Elements up to which pieces are compared one by one where no general argument is found."""
