from typing import Annotated, Literal, Optional, Union

Alias: TypeAlias = "Union[A, b.C]"
type Pair[T] = tuple[T, T]
type Simple = int


def check(
    a: Optional["Forward"],
    b: "pkg.Deep | None",
    c: Literal["GET", "POST"],
    d: Union[First, None],
    e: list["Item"],
    f: Callable[[Arg], "Ret"],
    g: Annotated[Meta, "note"],
    h: dict[str, list[Value]] = {},
    i: type[Klass] = Klass,
) -> "Answer[Inner]": ...


def generic[T: Bound](value: T) -> T: ...


class Box[U]:
    item: U


x: ClassVar[Thing] = cast("Other", y)
