defmodule A do
  alias
  alias Foo.{Bar, 1
  def
  def f(a, do: a |>
  @type t ::
  @spec
  import X, only: [a: , b: 2]
  %Foo{a: }
  &/1
  x.
  fn -> end
