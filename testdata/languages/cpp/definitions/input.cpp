#include "shop.h"

namespace shop {
namespace {
int hidden() { return 1; }
}  // namespace

namespace detail::deep {
struct Deep {};
}

/// Sells things.
///
/// All of them.
template <typename T, int N = 3>
class Shop final : public Base<T>, private Other {
  int secret_ = 0;

 public:
  using Item = T;
  enum class Colour : int { kRed, kGreen };

  /// Opens it.
  explicit Shop(std::string_view name) : Base<T>(name), secret_{1} {}
  Shop(const Shop&) = delete;
  virtual ~Shop();

  // How many.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  virtual void sell(T item) = 0;
  static Shop* make();
  T& operator[](std::size_t at);
  bool operator==(const Shop& other) const = default;
  explicit operator bool() const { return size_ > 0; }
  template <typename U>
  void convert(U&& value);
  friend void swap(Shop& a, Shop& b);
  friend bool less(const Shop& a, const Shop& b) { return a.size_ < b.size_; }

  struct Nested {
    int field;
    void method();
  };

 protected:
  std::size_t size_ = 0;
  static constexpr int kMax = 10, kMin = 1;
  std::vector<T> items_, others_;
};

template <>
class Shop<void> {};

template <typename T, int N>
T& Shop<T, N>::operator[](std::size_t at) { return items_[at]; }

template <typename T, int N>
void Shop<T, N>::Nested::method() {
  auto f = [&](int x) { struct Local {}; int y = x; return y; };
  field = f(1);
}

template <typename T, int N>
Shop<T, N>::~Shop() {}

constexpr int kAnswer = 42;
inline auto answer() -> int { return kAnswer; }
const char* const kNames[] = {"a"};
int call_me(int x), *and_me();
std::string made_at_once("x");
template <typename T>
concept Sellable = requires(T t) { t.price(); };
template <typename T>
using List = std::vector<T>;
typedef int (*Callback)(int);
void detail::deep::helper() { new Shop<int>("x"); }
}  // namespace shop

extern "C" {
int c_function(void) { return shop::answer(); }
}

TEST(ShopTest, Sells) { EXPECT_EQ(1, c_function()); }

int main() { return shop::detail::deep::helper(), 0; }
