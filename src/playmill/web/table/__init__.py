"""A table without any networking: state, store, undo, and what each seat may see."""
