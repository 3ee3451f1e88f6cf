"""Documents and their translations: cut into sentences, aligned, and memories put right where they are shifted."""
