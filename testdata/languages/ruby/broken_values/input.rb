class Item
  attr_reader :name
  include Named,
  def initialize(name, store = Store.new
    @name = name
    @store ||= (Store.new
  end

  def go
    [1].each do |x, (y
      x.name = @store.first(
    end
    case self
    in { name: String => n, list: [a, *
    end
  end
  alias_method :a
  delegate :b, to:

# A dot before a name of its own.
s.@x
