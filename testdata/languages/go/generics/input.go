package generics

func calls(fs []func(int), i int) {
	one := store.G[User](db).Where(1)
	two[string](c, key)
	many[int, string](c)
	more[int, string](c, d)
	of := New[map[string]int](2)
	value := Map[int]
	fs[i](1)
	fs[0](1)
	fs[0] = nil
	boxed := Box[User]{value: 1}
	(*pointer[User])(q)
}
