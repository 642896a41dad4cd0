from .counter import Counter

class Clockwatch(Counter):
    nerve: float = 0.2
    scale: float = 8.0
    most: float = 1.0

    def reserve(self, view):
        us, them = (view.score[1], view.score[0]) if view.seat & 1 else view.score
        left = view.tricks_after + view.hand_size
        z = (us - them) / (self.scale * left ** 0.5)
        return self.margin + self.nerve * min(max(z, -self.most), self.most)
