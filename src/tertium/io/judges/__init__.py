"""Language models as judges: prompts by file, questions over HTTP, answers read strictly, an account of it all."""
