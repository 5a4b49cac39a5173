"""Leduc poker: six cards, two rounds of betting, one card on the table; small enough to be solved."""
