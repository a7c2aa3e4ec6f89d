"""Programs that are run as processes of their own, so that what they import and hold weighs on nobody else."""
