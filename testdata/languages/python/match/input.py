def handle(command):
    match command:
        case Point(x=0, y=py) if py > limit:
            return py
        case [first, *others]:
            return others
        case {"key": value, **remaining}:
            return value
        case Color.RED | Color.GREEN:
            return 1
        case str() as text:
            return text
        case (a, b):
            return a
        case captured:
            return captured
        case _:
            return None
