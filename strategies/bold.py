from .counter import Counter

class Bold(Counter):
    margin: float = 0.0
