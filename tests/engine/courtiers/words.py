"""The words of Courtiers."""

from playmill.author import Text

TITLE = Text("Courtiers", "Придворные")
ABOUT = Text("the best card left wins", "побеждает лучшая оставшаяся карта")
NAMES = ("duel", "shield", "swap", "prince")
RUSSIAN = ("дуэль", "щит", "обмен", "принц")


def describe(config, action):
    return Text(f"plays {NAMES[action]}", f"играет {RUSSIAN[action]}")


def to_text(config, action):
    return NAMES[action]


def position(config, s, lang):
    tokens = ", ".join(str(int(number)) for number in s["tokens"])
    return Text(f"tokens: {tokens}", f"жетоны: {tokens}").of(lang)
