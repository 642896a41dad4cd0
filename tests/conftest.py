"""How Hypothesis runs here: no example is too slow, since the first of a test may compile."""

from hypothesis import HealthCheck, settings

settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("here")
