"""The studio: a local web application for printkit."""
