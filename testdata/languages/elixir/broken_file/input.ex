defmodule Before do
  def kept(x), do: x
end

defmodule Damaged do
  def half(x do
    %{a: [1, 2
  end

  def after(x) do
    Before.kept(x
  end
end
