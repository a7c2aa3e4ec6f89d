"""American Civil War terrain by State: roll for each zone and join the results to a battlefield."""
