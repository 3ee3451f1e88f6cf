"""Campaigns of human judgement: designs, sampling, blinding, batches with control items. No web in here."""
