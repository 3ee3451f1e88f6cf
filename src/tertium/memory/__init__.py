"""Translation memories: kept on disk, converted, checked."""
