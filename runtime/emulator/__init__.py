"""AMD machine code, run and questioned on the CPU."""
