"""Nine zones, a die each: a small terrain system for printkit."""
