"""HANDS: everything that touches the world."""
