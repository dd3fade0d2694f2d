package broken

func Before() int { return 1 }

func Damaged( {
	x := [
}

type After struct {
	Field int
}

func (a *After) Method() {}
