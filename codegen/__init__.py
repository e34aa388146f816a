"""Kernel program to HIP C++, code objects and a launch plan."""
