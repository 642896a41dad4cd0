"""The library of strategies: one file a strategy, its name the label. What they share begins with an underscore."""
