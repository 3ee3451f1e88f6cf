from tertium import comparison as comparison
from tertium import human as human
from tertium import meta as meta
from tertium.catalogue import metrics as metrics
from tertium.comparison.comparison import Comparison as Comparison
from tertium.comparison.comparison import compare as compare
from tertium.detection.detecting import detect as detect
from tertium.errors import InputError as InputError
from tertium.errors import SpecError as SpecError
from tertium.errors import TertiumError as TertiumError
from tertium.errors import TertiumWarning as TertiumWarning
from tertium.families.base import Metric as Metric
from tertium.families.base import option as option
from tertium.measured import Measured as Measured
from tertium.measuring import measure as measure
from tertium.registry import metric as metric
from tertium.scores import Scores as Scores
from tertium.scoring import score as score
from tertium.scoring import score_files as score_files
from tertium.statistics import DenseStatistics as DenseStatistics
from tertium.statistics import Statistics as Statistics
from tertium.statistics import TypeStatistics as TypeStatistics
from tertium.statistics import weighted_scores as weighted_scores
from tertium.testset import TestSet as TestSet
from tertium.text.segments import References as References
from tertium.triage.results import estimate as estimate

__version__: str
