"""Judging the metrics themselves: how well their scores agree with people, and with what translations are used for."""
