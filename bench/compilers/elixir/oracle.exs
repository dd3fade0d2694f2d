# What the Elixir compiler says of a repository, a row of JSON for each name (bench/accuracy.md has the rows).
#
#     elixir oracle.exs DIR [-d DEPENDENCY_DIR ...] | grep '^{"row"' > rows.jsonl
#
# Compiles lib/ (and test/support, then test/, as far as they compile) with a tracer. Dependencies are folders of
# sources, compiled first. Where a call or alias of the sources has no event - in quotes, in files that do not compile -
# nothing is known of it.
defmodule Tracer do
  def trace(event, env) do
    row =
      case event do
        {k, meta, mod, name, arity}
        when k in [:remote_function, :remote_macro, :imported_function, :imported_macro] ->
          {meta, {mod, name, arity}}

        {k, meta, name, arity} when k in [:local_function, :local_macro] ->
          {meta, {env.module, name, arity}}

        {:alias_reference, meta, mod} -> {meta, mod}
        {:struct_expansion, meta, mod, _} -> {meta, mod}
        {:alias, meta, mod, _as, _} -> {meta, mod}
        {:import, meta, mod, _} -> {meta, mod}
        {:require, meta, mod, _} -> {meta, mod}
        _ -> nil
      end

    with {meta, what} <- row, line when is_integer(line) <- meta[:line], col when is_integer(col) <- meta[:column] do
      :ets.insert(:events, {{env.file, line, col}, what})
    end

    :ok
  end
end

defmodule Reader do
  # Definitions, calls and aliases of a file, by its syntax alone.
  @forms [:def, :defp, :defmacro, :defmacrop, :defguard, :defguardp, :defdelegate]
  @types [:type, :typep, :opaque]

  def read(path, text) do
    case Code.string_to_quoted(text, columns: true, token_metadata: true, file: path, emit_warnings: false) do
      {:ok, ast} ->
        Process.put(:out, [])
        walk(ast, %{module: nil, quoted: false})
        Enum.reverse(Process.get(:out))

      _ ->
        []
    end
  end

  defp put(row), do: Process.put(:out, [row | Process.get(:out)])

  defp full({:__aliases__, _, parts}, %{module: nil}), do: if(Enum.all?(parts, &is_atom/1), do: Module.concat(parts))
  defp full({:__aliases__, _, [:"Elixir" | _] = parts}, _), do: Module.concat(parts)

  defp full({:__aliases__, _, parts}, %{module: module}),
    do: if(Enum.all?(parts, &is_atom/1), do: Module.concat([module | parts]))

  defp full(atom, _) when is_atom(atom), do: atom
  defp full(_, _), do: nil

  defp walk({:defmodule, meta, [name, [{_, body}]]}, env), do: module(:class, meta, name, body, env)
  defp walk({:defprotocol, meta, [name, [{_, body}]]}, env), do: module(:interface, meta, name, body, env)

  defp walk({:defimpl, _, [name | rest]}, env) do
    walk(name, env)
    {options, body} = rest |> List.flatten() |> Enum.split_with(&(not match?({{:__block__, _, [:do]}, _}, &1) and not match?({:do, _}, &1)))
    Enum.each(options, fn {_, v} -> walk(v, env); _ -> nil end)
    Enum.each(body, fn {_, v} -> walk(v, %{env | module: {:impl, env.module, name, options[:for]}}) end)
  end

  defp walk({:quote, _, args}, env), do: walk_all(args, %{env | quoted: true})

  defp walk({form, meta, [head | rest]}, env) when form in @forms and is_list(meta) do
    {call, guard} =
      case head do
        {:when, _, [call, guard]} -> {call, [guard]}
        call -> {call, []}
      end

    args =
      case call do
        {name, m, args} when is_atom(name) and is_list(m) ->
          args = if is_list(args), do: args, else: []
          least = Enum.count(args, &(not match?({:\\, _, _}, &1)))
          put({:def, name, m, :method, least, length(args), env.module, meta[:line], form})
          Process.put(:def, {:method, env.module, name, length(args)})
          args

        other ->
          walk(other, env)
          []
      end

    env = Map.put(env, :def, if(env[:def], do: env.def, else: Process.get(:def)))
    walk_all(args, env)
    walk_all(guard, env)
    walk_all(rest, env)
  end

  defp walk({:@, _, [{name, meta, [{:"::", _, [head, body]}]}]}, env) when name in @types do
    {t, m, args} = head
    args = if is_list(args), do: args, else: []
    put({:def, t, m, :type, length(args), length(args), env.module, meta[:line], name})
    vars = for {v, _, c} <- args, is_atom(c), do: v
    type(body, env, vars)
  end

  defp walk({:@, _, [{name, meta, [spec]}]}, env) when name in [:spec, :callback, :macrocallback] do
    {spec, vars} =
      case spec do
        {:when, _, [spec, bounds]} when is_list(bounds) ->
          Enum.each(bounds, fn {_, v} -> type(v, env, Keyword.keys(bounds)); _ -> nil end)
          {spec, Keyword.keys(bounds)}
        other -> {other, []}
      end

    case spec do
      {:"::", _, [{f, m, args}, result]} when is_atom(f) ->
        args = if is_list(args), do: args, else: []

        if name == :spec do
          put({:mention, f, m, length(args), env.module})
        else
          put({:def, f, m, :method, length(args), length(args), env.module, meta[:line], name})
        end

        Enum.each(args, &type(&1, env, vars))
        type(result, env, vars)

      other ->
        walk(other, env)
    end
  end

  defp walk({:@, _, [{name, meta, [value]}]}, env) when name not in [:behaviour, :impl, :doc, :moduledoc] do
    put({:attribute, name, meta, env.module, true})
    walk(value, env)
  end

  defp walk({:@, _, [{name, meta, context}]}, env) when is_atom(name) and is_atom(context), do: put({:attribute, name, meta, env.module, false})

  defp walk({form, _, [arg]}, env) when form in [:defstruct, :defexception] do
    names = if is_list(arg), do: for(f <- arg, n = if(is_tuple(f), do: elem(f, 0), else: f), is_atom(n), do: n), else: []
    put({:fields, env.module, names})
    walk(arg, env)
  end

  defp walk({form, _, [target | options]} = node, env) when form in [:alias, :import, :require, :use] do
    put({:directive, form, elem(node, 1), Macro.to_string(target), target})
    walk(target, Map.put(env, :directive, elem(node, 1)))
    walk_all(options, env)
  end

  defp walk({:__aliases__, meta, parts}, env) when is_list(parts), do: put({:alias, meta, List.last(parts), env[:directive]})

  defp walk({{:., dot, [left, name]}, meta, args}, env) when is_atom(name) and is_list(args) do
    # What is called on a value is found out when it runs.
    is_module = match?({:__aliases__, _, _}, left) or match?({:__MODULE__, _, _}, left)
    put({:call, name, [dot, meta], env.quoted or not is_module, env.module, env[:def]})
    walk(left, env)
    walk_all(args, env)
  end

  defp walk({name, meta, args}, env) when is_atom(name) and is_list(args) do
    put({:call, name, [meta], env.quoted, env.module, env[:def]})
    walk_all(args, env)
  end

  defp walk({name, meta, context}, env) when is_atom(name) and is_atom(context), do: put({:call, name, [meta], env.quoted, env.module, env[:def]})
  defp walk({a, _, b}, env), do: (walk(a, env); walk(b, env))
  defp walk({a, b}, env), do: (walk(a, env); walk(b, env))
  defp walk(list, env) when is_list(list), do: walk_all(list, env)
  defp walk(_, _), do: :ok

  defp walk_all(list, env) when is_list(list), do: Enum.each(list, &walk(&1, env))
  defp walk_all(other, env), do: walk(other, env)

  defp module(kind, meta, name, body, env) do
    full = full(name, env)
    case name do
      {:__aliases__, m, parts} when full != nil ->
        put({:def, List.last(parts), m, kind, 0, 0, env.module, meta[:line], {:module, full}})
      _ -> walk(name, env)
    end
    walk(body, %{env | module: full || env.module})
  end

  defp type({:__aliases__, meta, parts}, env, _), do: put({:alias, meta, List.last(parts), nil})

  defp type({{:., dot, [left, name]}, meta, args}, env, vars) when is_atom(name) do
    put({:remote_type, name, [dot, meta], length(args), left, env.module})
    type(left, env, vars)
    Enum.each(args, &type(&1, env, vars))
  end

  defp type({:"::", _, [_, right]}, env, vars), do: type(right, env, vars)

  defp type({name, meta, args}, env, vars) when is_atom(name) do
    args = if is_list(args), do: args, else: []
    if name not in vars, do: put({:type, name, meta, length(args), env.module})
    Enum.each(args, &type(&1, env, vars))
  end

  defp type({a, b}, env, vars), do: (type(a, env, vars); type(b, env, vars))
  defp type(list, env, vars) when is_list(list), do: Enum.each(list, &type(&1, env, vars))
  defp type(_, _, _), do: :ok
end

defmodule Oracle do
  def main(args) do
    {dir, deps} = {hd(args), for(["-d", d] <- Enum.chunk_every(tl(args), 2), do: d)}
    root = Path.expand(dir)
    :ets.new(:events, [:named_table, :public, :bag])
    Code.put_compiler_option(:ignore_module_conflict, true)
    Code.put_compiler_option(:parser_options, columns: true)
    Application.ensure_all_started(:ex_unit)
    Application.ensure_all_started(:mix)
    Application.ensure_all_started(:eex)
    Mix.start()

    # Erlang's package, which nothing is compiled against.
    Module.create(
      :telemetry,
      quote do
        def execute(_, _, _ \\ %{}), do: :ok
        def span(_, _, f), do: elem(f.(), 0)
        def attach(_, _, _, _), do: :ok
        def attach_many(_, _, _, _), do: :ok
        def detach(_), do: :ok
      end,
      Macro.Env.location(__ENV__)
    )

    for dep <- deps, do: compile(Path.wildcard(Path.join(dep, "**/*.ex")), nil)
    Code.put_compiler_option(:tracers, [Tracer])
    File.cd!(root)
    sources = Path.wildcard(root <> "/**/lib/**/*.ex") |> Enum.reject(&(&1 =~ ~r"/(templates|deps|node_modules|priv)/"))
    taken = compile(sources, nil)
    support = Path.wildcard(root <> "/**/test/**/*.ex") -- sources
    taken = taken ++ compile(support, nil)
    ExUnit.start(autorun: false)
    tests = Path.wildcard(root <> "/**/test/**/*_test.exs")
    helpers = Path.wildcard(root <> "/**/test/test_helper.exs")
    taken = taken ++ Enum.flat_map(helpers, fn path -> require_test(path) end)
    taken = taken ++ Enum.flat_map(tests, fn path -> require_test(path) end)
    rows(root, MapSet.new(taken))
  end

  # The files that compile: those that others stop are tried again without them.
  defp compile([], _), do: []

  defp compile(files, _) do
    quietly(fn ->
      # With beams, which doctests read.
      beams = Path.join(System.tmp_dir!(), "oracle_beams_#{System.unique_integer([:positive])}_#{System.os_time()}")
      File.mkdir_p!(beams)
      Code.prepend_path(beams)
      case Kernel.ParallelCompiler.compile_to_path(files, beams) do
        {:ok, _, _} -> files
        {:error, errors, _} ->
          bad = for(e <- errors, do: elem(e, 0)) |> Enum.map(&Path.expand/1) |> Enum.uniq()
          rest = Enum.reject(files, &(Path.expand(&1) in bad))
          for e <- errors, do: IO.puts(:stderr, "not compiled: #{inspect(elem(e, 0))}:#{inspect(elem(e, 1))} #{String.slice(to_string(elem(e, 2)), 0, 200)}")
          if length(rest) == length(files), do: [], else: compile(rest, nil)
      end
    end)
  end

  # In a process of its own: what a test starts may end it.
  defp require_test(path) do
    parent = self()

    {pid, ref} =
      spawn_monitor(fn ->
        Process.flag(:trap_exit, true)

        try do
          Code.require_file(path)
          send(parent, {:done, path})
        rescue
          e -> IO.puts(:stderr, "not compiled: #{path} #{String.slice(Exception.message(e), 0, 160)}")
        catch
          _, _ -> :ok
        end
      end)

    receive do
      {:DOWN, ^ref, _, ^pid, _} -> :ok
    after
      60_000 -> Process.exit(pid, :kill)
    end

    receive do
      {:done, ^path} -> [path]
    after
      0 -> []
    end
  end

  defp quietly(fun), do: fun.()

  defp rows(root, taken) do
    paths =
      (Path.wildcard(root <> "/**/*.ex") ++ Path.wildcard(root <> "/**/*.exs"))
      |> Enum.reject(&(&1 =~ ~r"/(deps|node_modules|priv/templates|_build)/"))

    read = for path <- paths, text = File.read!(path), do: {path, text |> String.split("\n") |> List.to_tuple(), Reader.read(path, text)}
    # Where functions and modules are declared.
    places =
      for {path, lines, entries} <- read, {:def, name, meta, kind, least, most, module, start, form} <- entries, reduce: %{} do
        all ->
          at = place(root, path, lines, meta, name, kind)
          keys =
            case form do
              {:module, full} -> [{:module, full}]
              f when f in [:callback, :macrocallback] -> [{:callback, module, name, most}]
              _ -> for n <- least..most, do: {kind, module, name, n}
            end

          if at == nil do
            all
          else
            Enum.reduce(keys, all, fn key, all -> Map.update(all, key, {at, start, [], name, kind, module, form, most}, fn {first, s, more, n, k, m, f, a} -> {first, s, [at | more], n, k, m, f, a} end) end)
          end
      end

    attributes =
      for {path, lines, entries} <- read, {:attribute, name, meta, module, true} <- entries, at = call_place(root, path, lines, meta, name), reduce: %{} do
        all ->
          if Map.has_key?(all, {path, module, name}) do
            json(row: "decl", at: at, name: name, of: all[{path, module, name}])
            all
          else
            json(row: "def", at: at, name: name, qname: "#{inspect(module)}.@#{name}", kind: "variable", scope: "class", start: meta[:line], asked: false)
            Map.put(all, {path, module, name}, at)
          end
      end

    for {path, lines, entries} <- read, {:attribute, name, meta, module, false} <- entries, at = call_place(root, path, lines, meta, name), to = attributes[{path, module, name}], do: json(row: "use", at: at, name: name, to: to)

    for {path, _, _} <- read, do: json(row: "file", path: Path.relative_to(path, root), taken: MapSet.member?(taken, path))

    firsts =
      places
      |> Map.values()
      |> Enum.group_by(&elem(&1, 0))
      |> Enum.map(fn {_, [one | _] = all} -> put_elem(one, 2, all |> Enum.flat_map(&elem(&1, 2)) |> Enum.uniq()) end)

    fields = for {_, _, entries} <- read, {:fields, module, names} <- entries, name <- names, into: MapSet.new(), do: {module, name}

    for {at, start, more, name, kind, module, form, most} <- firsts do
      last = name |> to_string() |> String.split(".") |> List.last()
      qname =
        case form do
          {:module, full} -> inspect(full)
          _ -> "#{if is_tuple(module) or module == nil, do: "?", else: inspect(module)}.#{name}/#{most}"
        end

      json(row: "def", at: at, name: last, qname: qname, kind: kind, scope: if(match?({:module, _}, form), do: "module", else: "class"), start: start, asked: is_atom(module) and loaded?(module) and not MapSet.member?(fields, {module, name}) and form not in [:callback, :macrocallback])
      for other <- more, other != at, do: json(row: "decl", at: other, name: last, of: at)
    end

    defined = for {{:module, full}, _} <- places, into: MapSet.new(), do: full

    for {path, lines, entries} <- read, entry <- entries do
      case entry do
        {:alias, meta, name, directive} when is_atom(name) ->
          parts(root, path, lines, meta)
          at = place(root, path, lines, meta, name, :class)
          target = for what <- events(path, meta), is_atom(what), do: what
          target = Enum.uniq(target)
          last = to_string(name)
          target = if target == [] and directive, do: for(what <- events(path, directive), is_atom(what), inspect(what) |> String.split(".") |> List.last() == last, do: what), else: target
          # Of several the one whose name ends so; else an alias.
          best = Enum.find(target, List.first(target), &(&1 |> inspect() |> String.split(".") |> List.last() == last))
          use(at, last, best && {:module, best}, places, defined, best)

        {:call, name, metas, quoted, module, from} ->
          at = Enum.find_value(metas, &call_place(root, path, lines, &1, name))
          found = for meta <- metas, {mod, ^name, arity} <- events(path, meta), do: {mod, name, arity}
          case {at, found} do
            {nil, _} -> nil
            {at, [{mod, _, arity} | _]} -> use(at, to_string(name), {:method, mod, name, arity}, places, defined, mod, from && (places[from] || {nil}) |> elem(0))
            # Outside of quotes, what compiles has an event for each call.
            {at, []} -> if quoted or not MapSet.member?(taken, path) or not loaded?(module), do: use(at, to_string(name), nil, places, defined, nil)
          end

        {:remote_type, name, metas, arity, left, module} ->
          at = Enum.find_value(metas, &call_place(root, path, lines, &1, name))
          mod =
            case left do
              {:__aliases__, meta, _} -> events(path, meta) |> Enum.find(&is_atom/1)
              {:__MODULE__, _, _} -> module
              _ -> nil
            end
          if at, do: use(at, to_string(name), mod && {:type, mod, name, arity}, places, defined, mod)

        {:type, name, meta, arity, module} ->
          at = call_place(root, path, lines, meta, name)
          key = {:type, module, name, arity}
          if at && Map.has_key?(places, key), do: use(at, to_string(name), key, places, defined, module)

        {:mention, name, meta, arity, module} ->
          at = call_place(root, path, lines, meta, name)
          case places[{:method, module, name, arity}] do
            {to, _, _, _, _, _, _, _} when at != nil -> json(row: "use", at: at, name: name, to: to, role: "doc")
            _ -> nil
          end

        {:directive, form, where, text, target} ->
          line = where[:line]
          written = Regex.scan(~r/[A-Z]\w*/, text) |> List.flatten()
          around = if form == :use, do: [], else: for(m <- events(path, where), is_atom(m), (inspect(m) |> String.split(".") |> List.last()) in written, do: m)
          mods =
            around ++
              case target do
                {:__aliases__, meta, _} -> events(path, meta)
                {{:., _, [_, :{}]}, _, leaves} -> for {:__aliases__, meta, _} <- leaves, e <- events(path, meta), do: e
                _ -> []
              end

          mods = for m <- mods, is_atom(m), (inspect(m) |> String.split(".") |> List.last()) in written, do: m

          # In a module that was left out.
          with [] <- mods, {:__aliases__, _, parts} <- target, true <- Enum.all?(parts, &is_atom/1),
               {to, _, _, _, _, _, _, _} <- places[{:module, Module.concat(parts)}] do
            json(row: "import", path: Path.relative_to(path, root), spec: text, line: line, kind: form, any: [to |> String.split(":") |> hd()])
          end

          if form == :import, do: listed(root, path, lines, line)
          for mod <- mods |> Enum.filter(&is_atom/1) |> Enum.uniq() do
            case places[{:module, mod}] do
              {to, _, _, _, _, _, _, _} -> json(row: "import", path: Path.relative_to(path, root), spec: inspect(mod), line: line, kind: form, target: to |> String.split(":") |> hd())
              nil -> json(row: "import", path: Path.relative_to(path, root), spec: text, line: line, kind: form, external: inspect(mod))
            end
          end

        _ -> nil
      end
    end
  end

  defp use(at, name, key, places, defined, module, from \\ nil)
  defp use(nil, _, _, _, _, _, _), do: nil
  defp use(at, name, nil, _, _, _, _), do: json(row: "use", at: at, name: name)

  defp use(at, name, key, places, defined, module, from) do
    case places[key] || callback(key, places) do
      nil -> if MapSet.member?(defined, module), do: json(row: "use", at: at, name: name), else: json(row: "use", at: at, name: name, ext: inspect(module))
      {^at, _, _, _, _, _, _, _} -> nil
      {to, _, _, _, _, _, _, _} -> json([row: "use", at: at, name: name, to: to, in: from] ++ if(elem(key, 0) == :method, do: [call: true], else: []))
    end
  end

  defp callback({:method, mod, name, arity}, places), do: places[{:callback, mod, name, arity}]
  defp callback(_, _), do: nil

  defp loaded?(module), do: not is_atom(module) or module == nil or Code.ensure_loaded?(module)

  defp events(path, meta), do: for({_, what} <- :ets.lookup(:events, {path, meta[:line], meta[:column]}), do: what)

  # The last part of a dotted name that begins at a place.
  defp place(root, path, lines, meta, name, kind) when kind in [:class, :interface] do
    with line when is_integer(line) <- meta[:line], col when is_integer(col) <- meta[:column] do
      rest = lines |> elem(line - 1) |> String.slice((col - 1)..-1//1)
      case Regex.run(~r/^[A-Za-z_]\w*(\.[A-Z]\w*)*/u, rest) do
        [text | _] ->
          last = to_string(name) |> String.split(".") |> List.last()
          if String.ends_with?(text, last), do: "#{Path.relative_to(path, root)}:#{line}:#{col + String.length(text) - String.length(last)}"
        _ -> nil
      end
    else
      _ -> nil
    end
  end

  defp place(root, path, lines, meta, name, _), do: call_place(root, path, lines, meta, name)

  # The parts of a dotted name before its last: nobody says what they mean.
  defp parts(root, path, lines, meta) do
    rest = lines |> elem(meta[:line] - 1) |> String.slice((meta[:column] - 1)..-1//1)

    with [text | _] <- Regex.run(~r/^[A-Za-z_]\w*(\.[A-Z]\w*)*/u, rest) do
      text
      |> String.split(".")
      |> Enum.drop(-1)
      |> Enum.reduce(meta[:column], fn part, col ->
        json(row: "use", at: "#{Path.relative_to(path, root)}:#{meta[:line]}:#{col}", name: part)
        col + String.length(part) + 1
      end)
    end
  end

  # The names in only: [f: 1], likewise.
  defp listed(root, path, lines, line) do
    Enum.reduce_while(line..min(line + 12, tuple_size(lines)), nil, fn at, _ ->
      text = elem(lines, at - 1)

      for [{from, size}] <- Regex.scan(~r/\b[a-z_]\w*[?!]?(?=: \d)/, text, return: :index) do
        col = String.length(binary_part(text, 0, from)) + 1
        json(row: "use", at: "#{Path.relative_to(path, root)}:#{at}:#{col}", name: binary_part(text, from, size))
      end

      if at > line and text =~ ~r/^\s*[a-z]+ [A-Z]/, do: {:halt, nil}, else: (if text =~ ~r/\]/, do: {:halt, nil}, else: {:cont, nil})
    end)
  end

  # The name at a place, or behind the dot there.
  defp call_place(root, path, lines, meta, name) do
    with line when is_integer(line) <- meta[:line], col when is_integer(col) <- meta[:column] do
      rest = lines |> elem(line - 1) |> String.slice((col - 1)..-1//1)
      text = to_string(name)
      cond do
        String.starts_with?(rest, text) -> "#{Path.relative_to(path, root)}:#{line}:#{col}"
        String.starts_with?(rest, "." <> text) -> "#{Path.relative_to(path, root)}:#{line}:#{col + 1}"
        true -> nil
      end
    else
      _ -> nil
    end
  end

  defp json(pairs) do
    IO.puts(["{", pairs |> Enum.reject(fn {_, v} -> v == nil end) |> Enum.map(fn {k, v} -> [inspect(to_string(k)), ":", value(v)] end) |> Enum.intersperse(","), "}"])
  end

  defp value([v]), do: ["[", value(v), "]"]
  defp value(v) when is_boolean(v) or is_integer(v), do: to_string(v)
  defp value(v), do: ["\"", v |> to_string() |> String.replace("\\", "\\\\") |> String.replace("\"", "\\\"") |> String.replace("\n", "\\n"), "\""]
end

Oracle.main(System.argv())
