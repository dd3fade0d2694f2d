counter = 0
total: int
x, (y, *rest) = values
for index, item in enumerate(rest):
    last = item
with open("f") as handle, lock as (held, other):
    pass
while (line := handle.read()):
    pass
counter += 1
counter = 5


def outer():
    global counter
    state = 0

    def inner():
        nonlocal state
        state = 1
        return state

    counter = 2
    squares = [n * n for n in range(10) if (found := n)]
    pairs = {k: v for k, v in items for v in k}
    gen = (a for b in c for a in b)
    try:
        risky()
    except (ValueError, KeyError) as error:
        print(error)
    except OSError as os_error:
        del state
    for i in squares:
        use(i, found)
    key = lambda p, *q, r=state, **s: p + r
    return key


class Holder:
    shared = 1
    copies = [shared for _ in range(3)]

    def method(self):
        return shared
