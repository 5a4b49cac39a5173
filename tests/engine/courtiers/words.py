"""The words of Courtiers."""

from playmill.author import Text

TITLE = Text("Courtiers", "Придворные")
ABOUT = Text("the best card left wins", "побеждает лучшая оставшаяся карта")
NAMES = ("duel", "shield", "swap", "prince")


def describe(config, action):
    return Text(f"plays {NAMES[action]}", f"играет {NAMES[action]}")


def to_text(config, action):
    return NAMES[action]
