"""Words of translations tagged OK or BAD, without references (docs/estimate-words.md)."""
