"""Translation that learns from corrections: systems behind one interface, the protocol that judges them, routing."""
