defmodule Cart do
  defdelegate add(a, b), to: Shop.Money
  defdelegate sum(a), to: Money, as: :total
end
