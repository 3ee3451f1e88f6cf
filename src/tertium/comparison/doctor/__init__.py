"""The input doctor: what is wrong with texts before anybody scores them."""

from __future__ import annotations

from tertium.comparison.doctor.diagnosis import Diagnosis, Finding, Severity
from tertium.comparison.doctor.examination import examine, examine_testset

__all__ = ["Diagnosis", "Finding", "Severity", "examine", "examine_testset"]
