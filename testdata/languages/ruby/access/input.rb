class Account
  def open; end

  private

  SECRET = 1
  class Inner
    def seen; end
  end
  attr_reader :balance
  def hidden; end

  protected def shared; end

  public

  def again; end

  private def once; end
  private attr_writer :hand

  def listed; end
  private :listed

  class << self
    def made; end

    private

    def quiet; end
  end
end
