"""Solo DBA: a non-player general who picks his army, chooses his ground, deploys and fights by the dice."""
