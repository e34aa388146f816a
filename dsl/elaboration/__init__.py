"""From the syntax tree to the tensor program: every name, size and bound is settled here."""
