def good():
    return 1

def bad(:
    x = 
  return x

class After:
    def method(self):
        return good()
