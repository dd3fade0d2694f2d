@cli.command("run", help="x")
@click.option("--name", default=DEFAULT)
# a comment between
@wraps
def run(name):
    """Runs."""


@app.route
async def index(): ...


class Service:
    @functools.cached_property
    def value(self): ...

    @overload
    def get(self, key: int) -> int: ...
    @overload
    def get(self, key: str) -> str: ...
    def get(self, key): ...

    @value.deleter
    def value(self): ...

    @abc.abstractmethod
    async def run(self): ...
