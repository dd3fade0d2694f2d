import enum
from dataclasses import dataclass


class Base(Root, pkg.mixin.Mixin, Generic[T], metaclass=Meta):
    """A base."""

    limit: int = 10
    names = ["a"]
    first, second = 1, 2

    def __init__(self, name: str, child: "Base | None" = None):
        self.name = name
        self.child = child
        self._cache: dict[str, Item] = {}
        self.a, self.b = name, child
        self.limit = 5

    @property
    def size(self) -> int:
        """How many."""
        return len(self._cache)

    @size.setter
    def size(self, value):
        self.name = value

    @staticmethod
    def make(kind):
        kind.run()

    @classmethod
    def build(cls, *args) -> "Base":
        return cls(*args).start()

    def start(this):
        super().start()
        this.child.start()
        this.later = Thing()

        def nested():
            return this.name

        return self

    alias = start
    key = lambda self: self.name

    class Inner:
        value = limit


@dataclass(frozen=True)
class Point:
    x: int
    y: float = 0.0
    tags: list[Tag] = field(default_factory=list)


class Color(enum.Enum):
    RED = 1
    GREEN = auto()


class Level(str, Enum):
    LOW = "low"
