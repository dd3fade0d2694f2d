x = "unterminated
def f():
    return x

y = (1, 2
def g():
    pass
