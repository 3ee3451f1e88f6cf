"""Neural translation trained from a memory: examples, pieces, network, training, decoding (extra: tertium[adapt])."""
