"""Units looked at one by one: checks, what a memory teaches them, and one probability that a unit is wrong."""
