"""Who should translate a document: what each translator did before, learned from a memory's own history."""
