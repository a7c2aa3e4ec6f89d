"""American Civil War terrain by State: dice zone by zone, and what they give joined to a countryside."""
