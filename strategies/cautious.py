from .counter import Counter

class Cautious(Counter):
    margin: float = 2.0
