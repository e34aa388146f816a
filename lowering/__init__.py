"""Tensor program to kernel program: equality saturation, extraction and search."""
