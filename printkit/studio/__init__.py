"""The studio: printkit as pages in the browser of the machine that it runs on."""
