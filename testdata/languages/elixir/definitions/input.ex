defmodule Acme.User do
  @moduledoc """
  A user. def not_one do end
  """
  use GenServer
  # def not_two, do: 1
  alias Acme.{Other, Third}
  alias Acme.Deep.Mod, as: M
  import Enum, only: [map: 2]
  require Logger
  @behaviour Acme.Behaviour
  @limit 10
  @type t :: %__MODULE__{id: integer}
  @typep priv :: atom
  @opaque op(a) :: {a}
  @callback run(t) :: :ok
  defstruct [:id, name: "x"]
  @enforce_keys [:id]

  @doc "Greets."
  @spec greet(t, integer) :: String.t()
  def greet(user, times \\ 1)
  def greet(%__MODULE__{name: name} = user, n) when is_integer(n) do
    other = helper(n) |> Other.go(:x)
    Logger.info("hi #{name}")
    user.name
    &helper/1
    fn x -> x end
    %M{a: 1}
  end
  def greet(user, _), do: greet(user, @limit)
  defp helper(n), do: n + 1
  defmacro mac(x) do
    quote do: unquote(x)
  end
  defmacrop pm(x), do: x
  defguard is_pos(x) when x > 0
  defdelegate size(x), to: Enum, as: :count
  def a + b, do: 1
  def no_args, do: 1
  defmodule Inner do
    def f, do: 1
  end
  defexception [:message]
end
defprotocol Size do
  @doc "S"
  def size(data)
end
defimpl Size, for: Acme.User do
  def size(_), do: 1
end
defmodule Acme.Test do
  test "the truth", %{a: b} do
    assert 1 == Acme.User.greet(1)
  end
  describe "x" do
  end
end
