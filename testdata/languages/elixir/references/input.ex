defmodule Acme.Store do
  @behaviour Acme.Behaviour
  alias Acme.{Item, Deep.Thing}
  alias __MODULE__.Inner
  alias Acme.Deep.Thing, as: T
  import Acme.Query, only: [where: 2]
  require Acme.Log, as: Log
  use Acme.Base, :store
  @limit 3
  @adapter Acme.Adapter
  defstruct [:id, y: 1]
  @type t(x) :: {x, Item.t()} | %__MODULE__{id: x}
  @spec run(t(x), String.t()) :: {:ok, x} | nil when x: term
  @callback check(t(term)) :: boolean
  def run(struct, list \\ [])
  def run(%Item{x: v} = s, [h | t]) when is_list(t) do
    s |> where(1) |> T.run() |> case do
      {:ok, ^v} -> &Item.f/2
      x when x > 1 -> &helper/1
      %{^h => y, z: z} -> y + z
    end

    with {:ok, z} <- other(), k = z.name do
      for i <- 1..2, into: %{}, do: "a#{i}#{k}"
      %{s | x: fn q, r -> q + r end}
      ~s(#{z} text)
      __MODULE__.run(1)
      @adapter.go(@limit)
      :erlang.now()
      Inner.call(s.id)
      callback = &(&1 + 1)
      callback.(1)
    end
  end
  defp helper(<<x::size(8), rest::binary>>), do: {x, rest}
  defdelegate z(a), to: Acme.Other, as: :zz
  defmodule Inner do
    def call(x), do: Acme.Store.run(x, [])
  end
  defmacro __using__(opts) do
    quote do
      import Acme.Store
      def injected(a), do: unquote(opts) && a
    end
  end
end

defimpl Acme.Size, for: Acme.Store do
  def size(%{id: id}), do: id
end

defmodule Acme.StoreTest do
  test "runs", %{store: store} do
    assert Acme.Store.run(store) == :ok
  end
end
