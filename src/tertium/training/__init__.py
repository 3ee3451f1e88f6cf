"""Training metrics on people's judgements: segments with their judgements, features, models, what each part earns."""
