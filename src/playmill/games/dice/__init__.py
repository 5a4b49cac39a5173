"""Dice: the tavern dice of Kingdom Come, with modifiers, items and loaded dice as data."""
