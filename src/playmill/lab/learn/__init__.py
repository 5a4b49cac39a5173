"""Learning: networks that imitate what search finds in the positions they themselves come to (`playmill learn`)."""
