const x = 1;
function shadow(x: string) {
  {
    const x = true;
    use(x);
  }
  if (x) {
    var hoisted = x;
    let block = x;
  }
  for (let i = 0, n = x.length; i < n; i++) hoisted += i;
  for (const [k, v] of entries) use(k, v);
  for (known of entries) use(known);
  for (const key in x) {
    use(key);
  }
  try {
    risky();
  } catch ({ message, cause: why = x }) {
    use(message, why);
  }
  switch (x) {
    case "a":
      let inSwitch = 1;
      use(inSwitch);
  }
  label: while (true) break label;
  return class Inner<T> {
    field: T = x;
  };
}
var twice = 1;
var twice = 2;
