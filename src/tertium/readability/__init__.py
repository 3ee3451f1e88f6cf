"""How hard texts are to read, English and French on one scale; where translations became harder, and why."""
