"""Files that the owner saved on the server under names."""
