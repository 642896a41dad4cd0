"""The words a tournament is chosen with, apart so that the command line can name them without loading the rest."""

FORMATS = ("round-robin", "gauntlet", "self")
ON_FAULT = ("stop", "forfeit")
BACKENDS = ("loky", "threading", "dask", "sequential")
