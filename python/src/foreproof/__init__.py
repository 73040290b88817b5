"""A second, independent reader and judge of foreproof's evidence. See README.md."""

from .frames import Evidence, read_evidence, write_forecasts

__version__ = "0.1.0"
__all__ = ["Evidence", "read_evidence", "write_forecasts"]
