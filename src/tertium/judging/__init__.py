"""Language models as judges, looked at closely: what they say, how often they agree with themselves, what it costs."""
