class Before
  def ok; end
end

class Damaged
  def broken(a, {
    x = [
  end

class After
  def works
    puts "fine"
  end
end
