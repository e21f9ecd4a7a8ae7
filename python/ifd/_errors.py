"""The exceptions of the package: one line that says where, what, and what was allowed."""


class Error(Exception):
    """Everything that ifd refuses or fails at."""

    __module__ = "ifd"


class BadInput(Error, ValueError):
    """A value, an array or a file that does not say what it must."""

    __module__ = "ifd"


class NotFound(Error, KeyError):
    """A name or a file that is not there."""

    __module__ = "ifd"

    # KeyError shows its argument in quotes; this one is a sentence.
    __str__ = Exception.__str__


class Conflict(Error, ValueError):
    """Two things that cannot both hold."""

    __module__ = "ifd"


class CorruptFile(Error, ValueError):
    """Bytes that are not what they claim to be."""

    __module__ = "ifd"


class StorageError(Error, OSError):
    """The disk or the network failed."""

    __module__ = "ifd"


class NotCertified(Error):
    """A promise that cannot be had: why, and what would be enough."""

    __module__ = "ifd"


class Cancelled(Error):
    """The work was stopped by its caller."""

    __module__ = "ifd"
