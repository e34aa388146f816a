"""Launch plans run on devices: HIP, CUDA, the emulator and the NumPy reference."""
