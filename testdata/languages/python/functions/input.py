"""Module documentation."""


def add(a: int, b: "Number" = 1, *args: str, c=None, **kwargs: t.Any) -> int:
    """Adds.

    Indented:
        more
    """

    def inner(x):
        return outer(x) + a

    local = inner(b)
    return local


async def fetch(client: Client) -> t.Optional[Response]:
    '''One line.'''
    async with client.get("/") as response, lock:
        return await response.json()


square = lambda n: n * n


def _private(): ...


def defaults(x=add, /, y: int = square(2), *, z): pass
