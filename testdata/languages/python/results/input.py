class Query:
    def filter(self, key) -> "Self":
        return self._clone(key)

    def _clone(self, key):
        if key:
            return self
        return Query()

    @classmethod
    def create(cls):
        return cls()

    def other(self):
        def inner():
            return Inner()

        return None

    async def fetch(self):
        return await self.run()


def make(flag):
    if flag:
        return None
    return Query.create()
