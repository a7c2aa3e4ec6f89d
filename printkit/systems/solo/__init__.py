"""Solo DBA: a non-player general (NPG) that chooses its army and terrain, deploys and fights by dice."""
