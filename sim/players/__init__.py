"""The plug-in contract: what a player sees, what a strategy is, how it is compiled and how it is found."""
