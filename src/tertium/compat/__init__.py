"""Drop-ins for other evaluation packages: their Python API, our kernels."""
