class Queue
  def_delegators :@job, :stop, :start
  def sum(a, b)
    a + b
    a <<= 1
    1 + 2
    list.each(&:start)
    private(*%i[one two])
  end
end
