"""The office's service: evaluations over HTTP, kept, and watched day by day. Its parts are imported when needed."""
