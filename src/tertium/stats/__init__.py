"""Statistics over rows and over scores. No text in here."""
