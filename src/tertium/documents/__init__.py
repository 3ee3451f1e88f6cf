"""Beyond the sentence: what holds a text together."""
