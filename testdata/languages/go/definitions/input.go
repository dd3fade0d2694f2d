// Package shop sells things.
package shop

import (
	"fmt"
	str "strings"
)

// MaxItems is how many fit into a cart.
const MaxItems = 10

const (
	// Red is a colour.
	Red Colour = iota
	green
	_
)

var a, B = 1, 2

var (
	registry = map[string]int{}
	// Hidden behind a comment of its line.
	other int // not about what follows
	last  string
)

// Colour is one of a few.
//
// It is a number.
type Colour int

type (
	// Item can be bought.
	Item struct {
		Name, Title string `json:"name"`
		price       int
		Size        struct{ Width int }
		fmt.Stringer
	}
	Buyer interface {
		// Buy takes an item.
		Buy(item *Item) error
		fmt.Stringer
	}
	Alias = Item
)

type List[T any] struct{ items []T }

// Sum adds.
func Sum[T any](l *List[T], f func(T) int) (total int) {
	const local = 1
	var x, y int
	type inner struct{ field int }
	for _, item := range l.items {
		total += f(item)
	}
	func() { var deep = local; _ = deep }()
	return total + x + y + inner{field: 1}.field
}

func (i *Item) Price() int { return i.price }

func (i Item) String() string {
	i.price = len(str.TrimSpace(i.Name))
	return fmt.Sprint(i.Price(), Item{Name: "x"}, registry)
}

func (l *List[T]) Push(item T) { l.items = append(l.items, item) }
func (*Elsewhere) Method()     {}
func init()                    { registry["a"]++ }
