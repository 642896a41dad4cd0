"""The card play of the whole library, by a player who never bids. What a hand is worth is in `counter`."""

from sim import PASS, Strategy, View, cards

from . import _card_sense as sense


class Passer(Strategy):
    """Never bids, and takes every trick it can: a contract of nothing cannot fail, and each trick is a point.

    The play is what whist and bridge players teach: draw trumps from the top, cash masters, lead from a short suit to
    ruff it later; second hand wins cheaply, third hand high, last hand as low as will do; never overtake a partner
    whose card will hold. A trick serves whatever was bid, as it makes our contract, breaks theirs or scores its point,
    so the play takes no notice of the bids.
    """

    def bid(self, view: View) -> int:
        return PASS

    def play(self, view: View) -> int:
        legal = view.legal
        if legal & (legal - 1) == 0:
            return cards.lowest(legal)
        return self.follow(view) if view.position else self.lead(view)

    def lead(self, view: View) -> int:
        """Lead the top trump if one card out at most beats it, to draw trumps; else a master; else low.

        A Blooper is best spent so: the Big draws everybody's highest trump, the Little the lowest, the Big spared.
        Masters are led without asking who may ruff them: a ruff costs the opponents a trump.
        """
        trump_set = cards.trumps(view.trump)
        trumps, plain = view.legal & trump_set, view.legal & ~trump_set
        out = sense.unseen(view)
        if trumps:
            top = cards.highest(trumps)
            nearly_master = cards.count(out & trump_set & sense.above(top)) <= 1
            if not plain or (nearly_master and sense.opponents_may_ruff(view)):
                return top
        masters = plain & ~sense.not_above(out)
        if masters:
            return cards.highest(masters)
        return sense.from_shortest(plain) if view.hand & trump_set else sense.from_longest(plain)

    def follow(self, view: View) -> int:
        """Win the trick as cheaply as the place in it allows, unless it is the partner's already."""
        trump_set = cards.trumps(view.trump)
        winners = view.legal & sense.beating(view.winning_card, trump_set)
        partner_wins = view.winning_seat == view.seat ^ 2
        last = view.position == 3
        if not winners or (partner_wins and (last or not sense.last_may_win(view))):
            return self.throw(view)
        suit_led = sense.same_suit(view.trick_cards[0], trump_set)
        if last or not view.legal & suit_led:
            return cards.lowest(winners)
        top, out = cards.highest(winners), sense.unseen(view) & suit_led
        if view.position == 1 and out & sense.above(top):
            return cards.lowest(winners)
        next_below = cards.highest(out & ~sense.above(top))
        if partner_wins and next_below < view.winning_card:
            return cards.lowest(view.legal)
        return cards.lowest(winners & sense.above(next_below))

    def throw(self, view: View) -> int:
        """Throw a low card: of the shortest suit while there are trumps to ruff it with, else the lowest of all."""
        trump_set = cards.trumps(view.trump)
        plain = view.legal & ~trump_set
        if not plain:
            return cards.lowest(view.legal)
        return sense.from_shortest(plain) if view.hand & trump_set else sense.lowest_of_all(plain)
