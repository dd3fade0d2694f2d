from bags import Bag, make


class Box(Bag[int]):
    items: Bag[int]

    def __init__(self, bag: Bag, plain):
        self.bag = bag
        self.plain = plain
        self.table = {}

    def use(self, call: make, untold):
        self.bag[1]
        self.bag[2] = 3
        del self.bag[2]
        self.plain[1]
        self.table[1]
        untold[1]
        call(1)
        1 in self.bag
        2 not in self.bag
        with make() as held, self.bag:
            len(held)
        for x in make():
            pass
        return [y for y in self.bag]
