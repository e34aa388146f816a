"""The devices a launch plan runs on, all behind one protocol."""
