package a;

/**
 * Uses {@link Shop} and {@link a.b.Item#sell(int, String) selling}.
 * Writes to me@link.org; {@linkplain
 * Shop} breaks its line.
 */
class Docs {
  /**
   * As {@link #other}, {@value Shop#MAX}.
   *
   * @param item what {@code {@link Shop}} says
   * @throws java.io.IOException at times
   * @see "A book"
   * @see Shop.Colour#RED
   */
  void run(Item item) {}

  /* {@link Shop} in a comment that documents nothing */
  void other() {}
}
