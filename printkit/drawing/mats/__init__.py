"""Painted mats: boards drawn from textures and sprites."""
