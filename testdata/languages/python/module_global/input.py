global total
total = 1


def add(n):
    global total
    total += n


class Counter:
    global seen
    seen = 0
