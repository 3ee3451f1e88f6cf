from tertium.readability.comparing import ReadabilityComparison as ReadabilityComparison
from tertium.readability.comparing import compare as compare
from tertium.readability.results import ReadabilityLevels as ReadabilityLevels
from tertium.readability.results import read_levels as read_levels
from tertium.readability.scale import Scale as Scale
from tertium.readability.scale import read_scale as read_scale
from tertium.readability.scale import usual_scale as usual_scale
