"""The web app in which people judge translations. Its parts are imported when they are needed: they are an extra."""
