"""The library of strategies: one file a strategy, its name the label."""
