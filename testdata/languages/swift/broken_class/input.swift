class Before {
  func kept() -> Int { 1 }
}

class Damaged: {
  var field: =
  func half( {
    return self.
}

func after() { Before( }
