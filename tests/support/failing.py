"""Errors for tests of what handles them."""


def fail(error):
    """Raise an error.

    After a `raise` inside `with pytest.raises(...)`, mypy would take the rest of a test for
    unreachable and not check its names.
    """
    raise error
