"""Compilers that turn HIP C++ into code objects: found, probed and run."""
