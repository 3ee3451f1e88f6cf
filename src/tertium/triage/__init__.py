"""What to do with translations, by their estimates: marks, promises, pass, edit or block (docs/estimate-scale.md)."""
