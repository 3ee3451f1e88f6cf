"""A new document, before anybody translates it: what is stored, what a machine makes of it, how much work is left."""
