"""The shipped models and the ordinary definitions they share, as ``.lum`` text."""
