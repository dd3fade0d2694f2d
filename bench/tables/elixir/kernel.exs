# Writes src/graph/elixir/library.txt: the functions and macros that every module has without an
# import, of Kernel and Kernel.SpecialForms. Run: elixir bench/tables/elixir/kernel.exs FILE
[path] = System.argv()

names =
  [Kernel, Kernel.SpecialForms]
  |> Enum.flat_map(&(&1.__info__(:functions) ++ &1.__info__(:macros)))
  |> Enum.map(&Atom.to_string(elem(&1, 0)))
  |> Enum.filter(&(&1 =~ ~r/^[a-z_]\w*[?!]?$/))
  |> Enum.uniq()
  |> Enum.sort()

lines =
  Enum.reduce(names, [""], fn name, [line | done] ->
    if String.length(line) + String.length(name) > 100,
      do: [name, line | done],
      else: [String.trim(line <> " " <> name) | done]
  end)

File.write!(path, """
# What is known of the library of Elixir #{System.version()}, by bench/tables/elixir/kernel.exs: core/library_tables.h has
# the format. Functions and macros that every module has.
[globals]
#{lines |> Enum.reverse() |> Enum.join("\n")}
""")
