a.b.c(d.e, key=f.g, *h, **i)
a().b()[0].c
a[b.c] = d
a.b = c
a.b += 1
obj.method(x)(y).z
f"{name!r} {obj.attr:>{width}} {call(arg)}"
print(not x, -y, x if y else z, x < y < z)
{"k": v, **w}
{p, *q}
assert cond, message
raise Error("x") from cause
yield_value = (yield x)
getattr(obj, "name")
setattr(obj, name, 1)
eval("1")
del a.b, a[0]
lambda: hidden
(await_ := x).attr
x: a.b = c
