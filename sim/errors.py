"""The errors a user meets: a few plain lines each, and the exit code the command line ends with."""


class BackAlleyError(Exception):
    """What went wrong, where, and what to do about it.

    Parameters
    ----------
    *lines : str
        Six lines at most, the first the fault itself. They are the whole message: the command line shows no traceback.
    """

    exit_code = 2

    def __str__(self) -> str:
        return "\n".join(map(str, self.args))


class ConfigError(BackAlleyError):
    """A tournament, a rule or an option is not what it must be."""


class SpecError(BackAlleyError):
    """No strategy answers to a spec, or it does not take a parameter as given."""


class CompileError(BackAlleyError):
    """A strategy's method does not compile."""


class RunError(BackAlleyError):
    """A run folder is missing, in use, or holds something else."""


class QueryError(BackAlleyError):
    """A query is none, would write, or DuckDB refuses it."""


class StrategyFault(BackAlleyError):
    """A strategy raised, returned what is not legal, took its process down or went over a limit, in play."""

    exit_code = 1


class StoreError(BackAlleyError):
    """A file of a run cannot be written or read."""

    exit_code = 1


class ReportError(BackAlleyError):
    """A report's data are not what they were, or its notebook fails."""

    exit_code = 1
