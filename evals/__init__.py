"""Is the memory better? Uses only `flows` and `slowwave`."""
