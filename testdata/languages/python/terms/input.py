from typing import TypeVar, Union

T = TypeVar("T", bound="Base")
Alias = Union[A, "B", None]
Table = Dict[str, List[Row]]
Either = A | None
Explicit: TypeAlias = "Dict[str, pkg.Row[A, B]] | None"
type Modern[K: Bound, V] = dict[K, V]


class Repo(Base[Model], Generic[T], metaclass=Meta):
    first: Optional[Model] = None
    late = None

    def __init__(self, db: "Db", *args: Extra, size=10, **options: Option) -> None:
        self.db = db
        self.late = Late()
        self.made = None
        self.made = db.make()
        self.a, (self.b, *self.c) = split()

    @property
    def name(self) -> Name:
        return self.first.name

    @name.setter
    def name(self, value: NewName):
        self._name = value

    @classmethod
    def create(cls, *, key: Key, other=Default()):
        return cls(key, other=other)

    @staticmethod
    def plain(x: X, /, y):
        return x

    def again(self):
        return self.__class__(1)

    def me(self):
        yield self
        yield from self.others()

    async def load(self, id):
        row = await self.db.get(id)
        rows = [Row(r) for r in row.all()]
        return row or rows[0] or self.cache["x"]


def use(x, cb: Callable[[A, B], C], **kw):
    if isinstance(x, Left) and ok:
        x.left()
    elif isinstance(x, (Mid, pkg.Right)):
        x.right()
    assert isinstance(cb, Special)
    y = x.a if isinstance(x, Left) else None
    try:
        pass
    except (ErrorA, ErrorB) as e:
        e.args
    except ErrorC as e2:
        e2.args
    with open_it() as f, other() as (g, h):
        f.read(g, h)
    for i, (j, k) in pairs(y):
        i.go(j, k)
    one, *rest = items
    start(name="a", then=lambda result, n=Num(): result.go(n), item=Item(part=1))
    sorted(rows, key=lambda row: row.key)
    "a,b".split(",").pop()
    match x:
        case Point(x=px) as p:
            p.go(px)
    z = None
    z = Zed()
    w: Wide = cast("Narrow", z)
    return {k: v for k, v in kw.items()}, [one, rest]
