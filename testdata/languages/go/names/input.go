package m

import (
	"fmt"
	y "gopkg.in/yaml.v3"
	. "strings"
	_ "embed"
)

type Kind int

const (
	One Kind = iota
	Two
)

type A struct {
	*B
	fmt.Stringer
	Name, Other string
	inner       struct{ X int }
}

type Box[T any] struct{ v T }

func (b *Box[E]) Get(k string) (v E, err error) { return b.v, nil }

func (b B) Late() {}

type B struct{}

func f(a, b *A, fs ...func(int) A) (int, error) {
	x, err := fmt.Println(a)
	y, err := b.Get()
	for i, v := range []A{{Name: "x"}} {
		_ = v
	}
	switch t := a.(type) {
	case *B:
		t.Late()
	}
	m := map[string]*A{"k": {Name: Two.String()}}
	go func() { m["k"].inner.X = 1 }()
	return x, err
}
