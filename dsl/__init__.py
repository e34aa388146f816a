"""Text to tensor program: grammar, checks, diagnostics and elaboration of ``.lum`` files."""
