"""The card game alone: cards, house settings, rules, shuffles, text records and the referee. Nothing of strategies."""
