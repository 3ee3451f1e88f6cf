"""Text: segments as the kernels take them, tokenisers, normalisation."""
