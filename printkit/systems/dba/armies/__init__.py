"""Armies of every edition of DBA, in the notation of lists."""
