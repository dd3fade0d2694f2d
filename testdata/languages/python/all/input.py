__all__ = ["Public", "helper"]
__all__ += ["added"]
__all__.extend(["more", 'last'])
__all__.append("appended")


class Public:
    def method(self): ...
    def _hidden(self): ...


def helper(): ...


def not_listed(): ...


_added = added = 1
