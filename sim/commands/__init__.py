"""The verbs of `backalley` that need more than a few lines, a file each; `cli` puts them together."""
