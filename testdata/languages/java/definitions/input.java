package com.example.shop;

import static java.util.Objects.requireNonNull;
import com.example.base.*;
import java.util.List;

/**
 * Sells things.
 *
 * @param <T> what is sold
 */
@Deprecated
@SuppressWarnings({"a", "b"})
public final class Shop<T extends Item> extends Base<T> implements Seller, Runnable {
  /** How many fit. */
  public static final int MAX = 10;
  private int a = 1, b[];
  protected List<T> items; // behind code

  // Counts.
  static {
    int local = 1;
  }

  /** Opens the shop. */
  public Shop(String name) throws Exception {
    super(name);
    this.a = MAX;
  }

  @Override
  public <R> R sell(T item, int... counts) {
    Runnable task = new Runnable() {
      int hidden;
      public void run() { items.add(item); }
    };
    class Local { void inLocal() {} }
    label: for (T each : items) { break label; }
    return requireNonNull(each -> Shop.sellAll(each), () -> new Shop<T>("x"));
  }

  abstract void announced();

  enum Colour implements Seller {
    /** Like blood. */
    RED(1) { @Override int code() { return 1; } },
    GREEN;
    private final int code = 0;
    int code() { return code; }
  }

  public record Point(int x, double y) {
    public Point { x++; }
    static Point of() { return new Point(1, 2); }
  }
}

interface Seller {
  int LIMIT = 3, LEAST = 1;
  void sell();
  default boolean isOpen() { return true; }
  private void hidden() {}
}

@interface Marker {
  String value() default "x";
}
