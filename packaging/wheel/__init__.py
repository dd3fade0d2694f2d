"""codexmem, a code index and memory for coding agents: its two programs, and nothing to import."""
