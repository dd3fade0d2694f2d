module M
  class A < B::C
    include X, Y::Z
    attr_reader :x
    def initialize(app, y = D.new, *r, k: 1, &b)
      @x = app
      @y ||= Foo::Bar.new(1)
      a, b = y, 2
      c = 1
      c.foo(bar) { |q, (r, s)| q.baz; c = 2; d = 3; d; c }
      self.z = 4
      other.w = 5
      t = y
      t
    end
    def self.make(*) = new(*)
    class << self
      include K
      def g; super; @x; end
    end
    def h
      if a
        M::A.new
      else
        ::M::A.make.h
      end
    end
    before_action :h, :z, if: :g
    A2 = A
    X2 = Struct.new(:f, :g) do
      def m; f; end
    end
  end
end
begin
  1
rescue M::E => e
  e.foo
end
x = 5
[x].first.foo
