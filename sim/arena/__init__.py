"""Plays and stores: tournaments, the engine, the runner, run folders, and the checks of both. Nothing of reports."""
