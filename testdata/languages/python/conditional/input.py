if sys.version_info >= (3, 8):

    def compat():
        return 1

    FLAG = True
else:

    def compat():
        return 2

    FLAG = False

try:
    import ujson as json
except ImportError:
    json = None

if __name__ == "__main__":
    compat()
