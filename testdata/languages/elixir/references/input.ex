defmodule A.B do
  @behaviour X
  alias Foo.{Bar, Baz}
  import Q, only: [a: 1]
  defstruct [:x, y: 1]
  @spec f(t(), String.t()) :: {:ok, A.t} | nil
  def f(%Bar{x: v} = s, [h | t] \\ []) when is_list(t) do
    s |> g(1) |> Baz.run |> case do
      {:ok, ^v} -> &A.f/2
      x when x > 1 -> &h/1
    end
    with {:ok, z} <- foo(), k = z.name do
      for i <- 1..2, into: %{}, do: "a#{i}"
      %{s | x: fn q, r -> q end}
      ~H"<.x />"
      __MODULE__.f(1) 
      @attr
      :erlang.now()
      mod.call()
      x.y
      f.(1)
    end
  end
  defdelegate z(a), to: Foo.Bar, as: :zz
end
