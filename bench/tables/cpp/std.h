// What the C++ standard library declares, as far as the type of one value says that of another:
// containers, iterators, pointers that own, text, functions. After the standard's synopses, but
// each container has what any of its kind has: code that compiles uses no others. What points to an
// object is written as T*, and what only numbers come of is left out.
namespace std {
using size_t = unsigned long;
using ptrdiff_t = long;
using nullptr_t = void*;

template <typename T>
T move(T& value);
template <typename T>
T forward(T& value);
template <typename T>
T exchange(T& value, T other);
template <typename T>
T as_const(T& value);
template <typename T>
T min(T a, T b);
template <typename T>
T max(T a, T b);
template <typename T>
T clamp(T value, T low, T high);
template <typename T>
T* addressof(T& value);
template <typename T>
T ref(T& value);
template <typename T>
T cref(T& value);

template <typename A, typename B>
struct pair {
  using first_type = A;
  using second_type = B;
  A first;
  B second;
};
template <typename A, typename B>
pair<A, B> make_pair(A a, B b);
template <typename A = void, typename B = void, typename C = void, typename D = void,
          typename E = void, typename F = void, typename G = void, typename H = void>
struct tuple {
  A item0;
  B item1;
  C item2;
  D item3;
  E item4;
  F item5;
  G item6;
  H item7;
};
template <typename A>
tuple<A> make_tuple(A a);
template <typename A, typename B>
tuple<A, B> make_tuple(A a, B b);
template <typename A, typename B, typename C>
tuple<A, B, C> make_tuple(A a, B b, C c);
template <typename A, typename B, typename C, typename D>
tuple<A, B, C, D> make_tuple(A a, B b, C c, D d);
template <typename A, typename B, typename C, typename D, typename E>
tuple<A, B, C, D, E> make_tuple(A a, B b, C c, D d, E e);

template <typename T>
struct iterator_to {
  T& operator*() const;
  T* operator->() const;
  T& operator[](long n) const;
  iterator_to<T> operator++();
  iterator_to<T> operator+(long n) const;
  iterator_to<T> operator-(long n) const;
};

template <typename T, typename A = void>
struct vector {
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using iterator = iterator_to<T>;
  using const_iterator = iterator_to<T>;
  using reverse_iterator = iterator_to<T>;
  using const_reverse_iterator = iterator_to<T>;
  iterator_to<T> begin() const;
  iterator_to<T> end() const;
  iterator_to<T> cbegin() const;
  iterator_to<T> cend() const;
  iterator_to<T> rbegin() const;
  iterator_to<T> rend() const;
  iterator_to<T> crbegin() const;
  iterator_to<T> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  T& front() const;
  T& back() const;
  T& at(size_t n) const;
  T& operator[](size_t n) const;
  T* data() const;
  void push_back(const T& value);
  template <typename... A>
  T& emplace_back(A&&... a);
  template <typename... A>
  iterator_to<T> emplace(iterator_to<T> at, A&&... a);
  void pop_back();
  iterator_to<T> insert(iterator_to<T> at, const T& value);
  iterator_to<T> erase(iterator_to<T> at);
  void resize(size_t n);
  void reserve(size_t n);
  size_t capacity() const;
  void shrink_to_fit();
  void assign(size_t n, const T& value);
  void swap(vector<T, A>& other);
};
template <typename T, typename A = void>
struct deque {
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using iterator = iterator_to<T>;
  using const_iterator = iterator_to<T>;
  using reverse_iterator = iterator_to<T>;
  using const_reverse_iterator = iterator_to<T>;
  iterator_to<T> begin() const;
  iterator_to<T> end() const;
  iterator_to<T> cbegin() const;
  iterator_to<T> cend() const;
  iterator_to<T> rbegin() const;
  iterator_to<T> rend() const;
  iterator_to<T> crbegin() const;
  iterator_to<T> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  T& front() const;
  T& back() const;
  T& at(size_t n) const;
  T& operator[](size_t n) const;
  T* data() const;
  void push_back(const T& value);
  template <typename... A>
  T& emplace_back(A&&... a);
  template <typename... A>
  iterator_to<T> emplace(iterator_to<T> at, A&&... a);
  void pop_back();
  iterator_to<T> insert(iterator_to<T> at, const T& value);
  iterator_to<T> erase(iterator_to<T> at);
  void resize(size_t n);
  void reserve(size_t n);
  size_t capacity() const;
  void shrink_to_fit();
  void assign(size_t n, const T& value);
  void swap(deque<T, A>& other);
  void push_front(const T& value);
  template <typename... A>
  T& emplace_front(A&&... a);
  void pop_front();
};
template <typename T, typename A = void>
struct list {
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using iterator = iterator_to<T>;
  using const_iterator = iterator_to<T>;
  using reverse_iterator = iterator_to<T>;
  using const_reverse_iterator = iterator_to<T>;
  iterator_to<T> begin() const;
  iterator_to<T> end() const;
  iterator_to<T> cbegin() const;
  iterator_to<T> cend() const;
  iterator_to<T> rbegin() const;
  iterator_to<T> rend() const;
  iterator_to<T> crbegin() const;
  iterator_to<T> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  T& front() const;
  T& back() const;
  T& at(size_t n) const;
  T& operator[](size_t n) const;
  T* data() const;
  void push_back(const T& value);
  template <typename... A>
  T& emplace_back(A&&... a);
  template <typename... A>
  iterator_to<T> emplace(iterator_to<T> at, A&&... a);
  void pop_back();
  iterator_to<T> insert(iterator_to<T> at, const T& value);
  iterator_to<T> erase(iterator_to<T> at);
  void resize(size_t n);
  void reserve(size_t n);
  size_t capacity() const;
  void shrink_to_fit();
  void assign(size_t n, const T& value);
  void swap(list<T, A>& other);
  void push_front(const T& value);
  template <typename... A>
  T& emplace_front(A&&... a);
  void pop_front();
  void splice(iterator_to<T> at, list<T, A>& other);
  void sort();
  void unique();
  void reverse();
  void remove(const T& value);
};
template <typename T, typename A = void>
struct forward_list {
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using iterator = iterator_to<T>;
  using const_iterator = iterator_to<T>;
  using reverse_iterator = iterator_to<T>;
  using const_reverse_iterator = iterator_to<T>;
  iterator_to<T> begin() const;
  iterator_to<T> end() const;
  iterator_to<T> cbegin() const;
  iterator_to<T> cend() const;
  iterator_to<T> rbegin() const;
  iterator_to<T> rend() const;
  iterator_to<T> crbegin() const;
  iterator_to<T> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  T& front() const;
  T& back() const;
  T& at(size_t n) const;
  T& operator[](size_t n) const;
  T* data() const;
  void push_front(const T& value);
  template <typename... A>
  T& emplace_front(A&&... a);
  void pop_front();
};
template <typename T, size_t N>
struct array {
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using iterator = iterator_to<T>;
  using const_iterator = iterator_to<T>;
  using reverse_iterator = iterator_to<T>;
  using const_reverse_iterator = iterator_to<T>;
  iterator_to<T> begin() const;
  iterator_to<T> end() const;
  iterator_to<T> cbegin() const;
  iterator_to<T> cend() const;
  iterator_to<T> rbegin() const;
  iterator_to<T> rend() const;
  iterator_to<T> crbegin() const;
  iterator_to<T> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  T& front() const;
  T& back() const;
  T& at(size_t n) const;
  T& operator[](size_t n) const;
  T* data() const;
  void fill(const T& value);
};
template <typename T, size_t N = 0>
struct span {
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using iterator = iterator_to<T>;
  using const_iterator = iterator_to<T>;
  using reverse_iterator = iterator_to<T>;
  using const_reverse_iterator = iterator_to<T>;
  iterator_to<T> begin() const;
  iterator_to<T> end() const;
  iterator_to<T> cbegin() const;
  iterator_to<T> cend() const;
  iterator_to<T> rbegin() const;
  iterator_to<T> rend() const;
  iterator_to<T> crbegin() const;
  iterator_to<T> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  T& front() const;
  T& back() const;
  T& at(size_t n) const;
  T& operator[](size_t n) const;
  T* data() const;
  span<T> subspan(size_t at, size_t n) const;
  span<T> first(size_t n) const;
  span<T> last(size_t n) const;
};
template <typename T>
struct initializer_list {
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using iterator = iterator_to<T>;
  using const_iterator = iterator_to<T>;
  using reverse_iterator = iterator_to<T>;
  using const_reverse_iterator = iterator_to<T>;
  iterator_to<T> begin() const;
  iterator_to<T> end() const;
  iterator_to<T> cbegin() const;
  iterator_to<T> cend() const;
  iterator_to<T> rbegin() const;
  iterator_to<T> rend() const;
  iterator_to<T> crbegin() const;
  iterator_to<T> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
};
template <typename T>
struct valarray {
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using iterator = iterator_to<T>;
  using const_iterator = iterator_to<T>;
  using reverse_iterator = iterator_to<T>;
  using const_reverse_iterator = iterator_to<T>;
  iterator_to<T> begin() const;
  iterator_to<T> end() const;
  iterator_to<T> cbegin() const;
  iterator_to<T> cend() const;
  iterator_to<T> rbegin() const;
  iterator_to<T> rend() const;
  iterator_to<T> crbegin() const;
  iterator_to<T> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  T& front() const;
  T& back() const;
  T& at(size_t n) const;
  T& operator[](size_t n) const;
  T* data() const;
};
template <typename K, typename V, typename C = void, typename E = void, typename A = void>
struct map {
  using value_type = pair<const K, V>;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = pair<const K, V>&;
  using const_reference = const pair<const K, V>&;
  using pointer = pair<const K, V>*;
  using iterator = iterator_to<pair<const K, V>>;
  using const_iterator = iterator_to<pair<const K, V>>;
  using reverse_iterator = iterator_to<pair<const K, V>>;
  using const_reverse_iterator = iterator_to<pair<const K, V>>;
  iterator_to<pair<const K, V>> begin() const;
  iterator_to<pair<const K, V>> end() const;
  iterator_to<pair<const K, V>> cbegin() const;
  iterator_to<pair<const K, V>> cend() const;
  iterator_to<pair<const K, V>> rbegin() const;
  iterator_to<pair<const K, V>> rend() const;
  iterator_to<pair<const K, V>> crbegin() const;
  iterator_to<pair<const K, V>> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  using key_type = K;
  using mapped_type = V;
  iterator_to<pair<const K, V>> find(const K& key) const;
  size_t count(const K& key) const;
  bool contains(const K& key) const;
  iterator_to<pair<const K, V>> lower_bound(const K& key) const;
  iterator_to<pair<const K, V>> upper_bound(const K& key) const;
  pair<iterator_to<pair<const K, V>>, iterator_to<pair<const K, V>>> equal_range(
      const K& key) const;
  size_t erase(const K& key);
  iterator_to<pair<const K, V>> erase(iterator_to<pair<const K, V>> at);
  pair<iterator_to<pair<const K, V>>, bool> insert(const pair<const K, V>& value);
  template <typename... A>
  pair<iterator_to<pair<const K, V>>, bool> emplace(A&&... a);
  template <typename... A>
  pair<iterator_to<pair<const K, V>>, bool> try_emplace(A&&... a);
  void reserve(size_t n);
  V& operator[](const K& key);
  V& at(const K& key) const;
  template <typename M>
  pair<iterator_to<pair<const K, V>>, bool> insert_or_assign(const K& key, M&& value);
};
template <typename K, typename V, typename C = void, typename E = void, typename A = void>
struct unordered_map {
  using value_type = pair<const K, V>;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = pair<const K, V>&;
  using const_reference = const pair<const K, V>&;
  using pointer = pair<const K, V>*;
  using iterator = iterator_to<pair<const K, V>>;
  using const_iterator = iterator_to<pair<const K, V>>;
  using reverse_iterator = iterator_to<pair<const K, V>>;
  using const_reverse_iterator = iterator_to<pair<const K, V>>;
  iterator_to<pair<const K, V>> begin() const;
  iterator_to<pair<const K, V>> end() const;
  iterator_to<pair<const K, V>> cbegin() const;
  iterator_to<pair<const K, V>> cend() const;
  iterator_to<pair<const K, V>> rbegin() const;
  iterator_to<pair<const K, V>> rend() const;
  iterator_to<pair<const K, V>> crbegin() const;
  iterator_to<pair<const K, V>> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  using key_type = K;
  using mapped_type = V;
  iterator_to<pair<const K, V>> find(const K& key) const;
  size_t count(const K& key) const;
  bool contains(const K& key) const;
  iterator_to<pair<const K, V>> lower_bound(const K& key) const;
  iterator_to<pair<const K, V>> upper_bound(const K& key) const;
  pair<iterator_to<pair<const K, V>>, iterator_to<pair<const K, V>>> equal_range(
      const K& key) const;
  size_t erase(const K& key);
  iterator_to<pair<const K, V>> erase(iterator_to<pair<const K, V>> at);
  pair<iterator_to<pair<const K, V>>, bool> insert(const pair<const K, V>& value);
  template <typename... A>
  pair<iterator_to<pair<const K, V>>, bool> emplace(A&&... a);
  template <typename... A>
  pair<iterator_to<pair<const K, V>>, bool> try_emplace(A&&... a);
  void reserve(size_t n);
  V& operator[](const K& key);
  V& at(const K& key) const;
  template <typename M>
  pair<iterator_to<pair<const K, V>>, bool> insert_or_assign(const K& key, M&& value);
};
template <typename K, typename V, typename C = void, typename E = void, typename A = void>
struct multimap {
  using value_type = pair<const K, V>;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = pair<const K, V>&;
  using const_reference = const pair<const K, V>&;
  using pointer = pair<const K, V>*;
  using iterator = iterator_to<pair<const K, V>>;
  using const_iterator = iterator_to<pair<const K, V>>;
  using reverse_iterator = iterator_to<pair<const K, V>>;
  using const_reverse_iterator = iterator_to<pair<const K, V>>;
  iterator_to<pair<const K, V>> begin() const;
  iterator_to<pair<const K, V>> end() const;
  iterator_to<pair<const K, V>> cbegin() const;
  iterator_to<pair<const K, V>> cend() const;
  iterator_to<pair<const K, V>> rbegin() const;
  iterator_to<pair<const K, V>> rend() const;
  iterator_to<pair<const K, V>> crbegin() const;
  iterator_to<pair<const K, V>> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  using key_type = K;
  using mapped_type = V;
  iterator_to<pair<const K, V>> find(const K& key) const;
  size_t count(const K& key) const;
  bool contains(const K& key) const;
  iterator_to<pair<const K, V>> lower_bound(const K& key) const;
  iterator_to<pair<const K, V>> upper_bound(const K& key) const;
  pair<iterator_to<pair<const K, V>>, iterator_to<pair<const K, V>>> equal_range(
      const K& key) const;
  size_t erase(const K& key);
  iterator_to<pair<const K, V>> erase(iterator_to<pair<const K, V>> at);
  pair<iterator_to<pair<const K, V>>, bool> insert(const pair<const K, V>& value);
  template <typename... A>
  pair<iterator_to<pair<const K, V>>, bool> emplace(A&&... a);
  template <typename... A>
  pair<iterator_to<pair<const K, V>>, bool> try_emplace(A&&... a);
  void reserve(size_t n);
  V& operator[](const K& key);
  V& at(const K& key) const;
  template <typename M>
  pair<iterator_to<pair<const K, V>>, bool> insert_or_assign(const K& key, M&& value);
};
template <typename K, typename V, typename C = void, typename E = void, typename A = void>
struct unordered_multimap {
  using value_type = pair<const K, V>;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = pair<const K, V>&;
  using const_reference = const pair<const K, V>&;
  using pointer = pair<const K, V>*;
  using iterator = iterator_to<pair<const K, V>>;
  using const_iterator = iterator_to<pair<const K, V>>;
  using reverse_iterator = iterator_to<pair<const K, V>>;
  using const_reverse_iterator = iterator_to<pair<const K, V>>;
  iterator_to<pair<const K, V>> begin() const;
  iterator_to<pair<const K, V>> end() const;
  iterator_to<pair<const K, V>> cbegin() const;
  iterator_to<pair<const K, V>> cend() const;
  iterator_to<pair<const K, V>> rbegin() const;
  iterator_to<pair<const K, V>> rend() const;
  iterator_to<pair<const K, V>> crbegin() const;
  iterator_to<pair<const K, V>> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  using key_type = K;
  using mapped_type = V;
  iterator_to<pair<const K, V>> find(const K& key) const;
  size_t count(const K& key) const;
  bool contains(const K& key) const;
  iterator_to<pair<const K, V>> lower_bound(const K& key) const;
  iterator_to<pair<const K, V>> upper_bound(const K& key) const;
  pair<iterator_to<pair<const K, V>>, iterator_to<pair<const K, V>>> equal_range(
      const K& key) const;
  size_t erase(const K& key);
  iterator_to<pair<const K, V>> erase(iterator_to<pair<const K, V>> at);
  pair<iterator_to<pair<const K, V>>, bool> insert(const pair<const K, V>& value);
  template <typename... A>
  pair<iterator_to<pair<const K, V>>, bool> emplace(A&&... a);
  template <typename... A>
  pair<iterator_to<pair<const K, V>>, bool> try_emplace(A&&... a);
  void reserve(size_t n);
  V& operator[](const K& key);
  V& at(const K& key) const;
  template <typename M>
  pair<iterator_to<pair<const K, V>>, bool> insert_or_assign(const K& key, M&& value);
};
template <typename K, typename C = void, typename E = void, typename A = void>
struct set {
  using value_type = K;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = K&;
  using const_reference = const K&;
  using pointer = K*;
  using iterator = iterator_to<K>;
  using const_iterator = iterator_to<K>;
  using reverse_iterator = iterator_to<K>;
  using const_reverse_iterator = iterator_to<K>;
  iterator_to<K> begin() const;
  iterator_to<K> end() const;
  iterator_to<K> cbegin() const;
  iterator_to<K> cend() const;
  iterator_to<K> rbegin() const;
  iterator_to<K> rend() const;
  iterator_to<K> crbegin() const;
  iterator_to<K> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  using key_type = K;
  iterator_to<K> find(const K& key) const;
  size_t count(const K& key) const;
  bool contains(const K& key) const;
  iterator_to<K> lower_bound(const K& key) const;
  iterator_to<K> upper_bound(const K& key) const;
  pair<iterator_to<K>, iterator_to<K>> equal_range(const K& key) const;
  size_t erase(const K& key);
  iterator_to<K> erase(iterator_to<K> at);
  pair<iterator_to<K>, bool> insert(const K& value);
  template <typename... A>
  pair<iterator_to<K>, bool> emplace(A&&... a);
  template <typename... A>
  pair<iterator_to<K>, bool> try_emplace(A&&... a);
  void reserve(size_t n);
};
template <typename K, typename C = void, typename E = void, typename A = void>
struct unordered_set {
  using value_type = K;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = K&;
  using const_reference = const K&;
  using pointer = K*;
  using iterator = iterator_to<K>;
  using const_iterator = iterator_to<K>;
  using reverse_iterator = iterator_to<K>;
  using const_reverse_iterator = iterator_to<K>;
  iterator_to<K> begin() const;
  iterator_to<K> end() const;
  iterator_to<K> cbegin() const;
  iterator_to<K> cend() const;
  iterator_to<K> rbegin() const;
  iterator_to<K> rend() const;
  iterator_to<K> crbegin() const;
  iterator_to<K> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  using key_type = K;
  iterator_to<K> find(const K& key) const;
  size_t count(const K& key) const;
  bool contains(const K& key) const;
  iterator_to<K> lower_bound(const K& key) const;
  iterator_to<K> upper_bound(const K& key) const;
  pair<iterator_to<K>, iterator_to<K>> equal_range(const K& key) const;
  size_t erase(const K& key);
  iterator_to<K> erase(iterator_to<K> at);
  pair<iterator_to<K>, bool> insert(const K& value);
  template <typename... A>
  pair<iterator_to<K>, bool> emplace(A&&... a);
  template <typename... A>
  pair<iterator_to<K>, bool> try_emplace(A&&... a);
  void reserve(size_t n);
};
template <typename K, typename C = void, typename E = void, typename A = void>
struct multiset {
  using value_type = K;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = K&;
  using const_reference = const K&;
  using pointer = K*;
  using iterator = iterator_to<K>;
  using const_iterator = iterator_to<K>;
  using reverse_iterator = iterator_to<K>;
  using const_reverse_iterator = iterator_to<K>;
  iterator_to<K> begin() const;
  iterator_to<K> end() const;
  iterator_to<K> cbegin() const;
  iterator_to<K> cend() const;
  iterator_to<K> rbegin() const;
  iterator_to<K> rend() const;
  iterator_to<K> crbegin() const;
  iterator_to<K> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  using key_type = K;
  iterator_to<K> find(const K& key) const;
  size_t count(const K& key) const;
  bool contains(const K& key) const;
  iterator_to<K> lower_bound(const K& key) const;
  iterator_to<K> upper_bound(const K& key) const;
  pair<iterator_to<K>, iterator_to<K>> equal_range(const K& key) const;
  size_t erase(const K& key);
  iterator_to<K> erase(iterator_to<K> at);
  pair<iterator_to<K>, bool> insert(const K& value);
  template <typename... A>
  pair<iterator_to<K>, bool> emplace(A&&... a);
  template <typename... A>
  pair<iterator_to<K>, bool> try_emplace(A&&... a);
  void reserve(size_t n);
};
template <typename K, typename C = void, typename E = void, typename A = void>
struct unordered_multiset {
  using value_type = K;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = K&;
  using const_reference = const K&;
  using pointer = K*;
  using iterator = iterator_to<K>;
  using const_iterator = iterator_to<K>;
  using reverse_iterator = iterator_to<K>;
  using const_reverse_iterator = iterator_to<K>;
  iterator_to<K> begin() const;
  iterator_to<K> end() const;
  iterator_to<K> cbegin() const;
  iterator_to<K> cend() const;
  iterator_to<K> rbegin() const;
  iterator_to<K> rend() const;
  iterator_to<K> crbegin() const;
  iterator_to<K> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  using key_type = K;
  iterator_to<K> find(const K& key) const;
  size_t count(const K& key) const;
  bool contains(const K& key) const;
  iterator_to<K> lower_bound(const K& key) const;
  iterator_to<K> upper_bound(const K& key) const;
  pair<iterator_to<K>, iterator_to<K>> equal_range(const K& key) const;
  size_t erase(const K& key);
  iterator_to<K> erase(iterator_to<K> at);
  pair<iterator_to<K>, bool> insert(const K& value);
  template <typename... A>
  pair<iterator_to<K>, bool> emplace(A&&... a);
  template <typename... A>
  pair<iterator_to<K>, bool> try_emplace(A&&... a);
  void reserve(size_t n);
};
template <typename T, typename C = void, typename L = void>
struct stack {
  using value_type = T;
  T& top() const;
  T& front() const;
  T& back() const;
  void push(const T& value);
  template <typename... A>
  T& emplace(A&&... a);
  void pop();
  bool empty() const;
  size_t size() const;
};
template <typename T, typename C = void, typename L = void>
struct queue {
  using value_type = T;
  T& top() const;
  T& front() const;
  T& back() const;
  void push(const T& value);
  template <typename... A>
  T& emplace(A&&... a);
  void pop();
  bool empty() const;
  size_t size() const;
};
template <typename T, typename C = void, typename L = void>
struct priority_queue {
  using value_type = T;
  T& top() const;
  T& front() const;
  T& back() const;
  void push(const T& value);
  template <typename... A>
  T& emplace(A&&... a);
  void pop();
  bool empty() const;
  size_t size() const;
};

template <typename T, typename D = void>
struct unique_ptr {
  using element_type = T;
  using pointer = T*;
  T& operator*() const;
  T* operator->() const;
  T& operator[](size_t n) const;
  T* get() const;
  T* release();
  void reset(T* other = nullptr);
  D& get_deleter();
  void swap(unique_ptr<T, D>& other);
  operator bool() const;
};
template <typename T>
struct shared_ptr {
  using element_type = T;
  T& operator*() const;
  T* operator->() const;
  T* get() const;
  void reset(T* other = nullptr);
  long use_count() const;
  bool unique() const;
  void swap(shared_ptr<T>& other);
  operator bool() const;
};
template <typename T>
struct weak_ptr {
  shared_ptr<T> lock() const;
  bool expired() const;
  void reset();
  long use_count() const;
};
template <typename T>
struct enable_shared_from_this {
  shared_ptr<T> shared_from_this();
  weak_ptr<T> weak_from_this();
};
template <typename T, typename... A>
unique_ptr<T> make_unique(A&&... a);
template <typename T, typename... A>
shared_ptr<T> make_shared(A&&... a);
template <typename T, typename U>
shared_ptr<T> static_pointer_cast(const shared_ptr<U>& from);
template <typename T, typename U>
shared_ptr<T> dynamic_pointer_cast(const shared_ptr<U>& from);
template <typename T, typename U>
shared_ptr<T> const_pointer_cast(const shared_ptr<U>& from);
template <typename T>
struct reference_wrapper {
  T& get() const;
  operator T&() const;
};
template <typename T>
struct optional {
  using value_type = T;
  T& operator*() const;
  T* operator->() const;
  T& value() const;
  template <typename U>
  T value_or(U&& other) const;
  bool has_value() const;
  template <typename... A>
  T& emplace(A&&... a);
  void reset();
  operator bool() const;
};
template <typename T>
optional<T> make_optional(T value);
template <typename T, typename E>
struct expected {
  T& operator*() const;
  T* operator->() const;
  T& value() const;
  E& error() const;
  bool has_value() const;
};
template <typename... T>
struct variant {
  size_t index() const;
  bool valueless_by_exception() const;
};
template <typename T, typename V>
T& get(V& from);
template <typename T, typename V>
T* get_if(V* from);
template <typename T>
T any_cast(const any& from);
struct any {
  bool has_value() const;
  void reset();
};
template <typename F>
struct function {
  operator bool() const;
};
template <typename T>
struct atomic {
  T load() const;
  void store(T value);
  T exchange(T value);
  T fetch_add(T value);
  T fetch_sub(T value);
  bool compare_exchange_weak(T& a, T b);
  bool compare_exchange_strong(T& a, T b);
};
template <typename T>
struct future {
  T get();
  void wait() const;
  bool valid() const;
};
template <typename T>
struct promise {
  future<T> get_future();
  void set_value(const T& value);
};

template <typename C, typename R = void, typename A = void>
struct basic_string {
  using value_type = C;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = C&;
  using const_reference = const C&;
  using pointer = C*;
  using iterator = iterator_to<C>;
  using const_iterator = iterator_to<C>;
  using reverse_iterator = iterator_to<C>;
  using const_reverse_iterator = iterator_to<C>;
  iterator_to<C> begin() const;
  iterator_to<C> end() const;
  iterator_to<C> cbegin() const;
  iterator_to<C> cend() const;
  iterator_to<C> rbegin() const;
  iterator_to<C> rend() const;
  iterator_to<C> crbegin() const;
  iterator_to<C> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  C& front() const;
  C& back() const;
  C& at(size_t n) const;
  C& operator[](size_t n) const;
  const C* data() const;
  const C* c_str() const;
  size_t length() const;
  size_t capacity() const;
  void reserve(size_t n);
  void resize(size_t n);
  void push_back(C c);
  void pop_back();
  basic_string& append(const basic_string& s);
  basic_string& assign(const basic_string& s);
  basic_string& insert(size_t at, const basic_string& s);
  basic_string& erase(size_t at = 0, size_t n = 0);
  basic_string& replace(size_t at, size_t n, const basic_string& s);
  basic_string substr(size_t at = 0, size_t n = 0) const;
  int compare(const basic_string& s) const;
  size_t find(const basic_string& s, size_t at = 0) const;
  size_t rfind(const basic_string& s, size_t at = 0) const;
  size_t find_first_of(const basic_string& s, size_t at = 0) const;
  size_t find_last_of(const basic_string& s, size_t at = 0) const;
  size_t find_first_not_of(const basic_string& s, size_t at = 0) const;
  size_t find_last_not_of(const basic_string& s, size_t at = 0) const;
  bool starts_with(const basic_string& s) const;
  bool ends_with(const basic_string& s) const;
  bool contains(const basic_string& s) const;
  void shrink_to_fit();
  void swap(basic_string& other);
};
template <typename C, typename R = void>
struct basic_string_view {
  using value_type = C;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = C&;
  using const_reference = const C&;
  using pointer = C*;
  using iterator = iterator_to<C>;
  using const_iterator = iterator_to<C>;
  using reverse_iterator = iterator_to<C>;
  using const_reverse_iterator = iterator_to<C>;
  iterator_to<C> begin() const;
  iterator_to<C> end() const;
  iterator_to<C> cbegin() const;
  iterator_to<C> cend() const;
  iterator_to<C> rbegin() const;
  iterator_to<C> rend() const;
  iterator_to<C> crbegin() const;
  iterator_to<C> crend() const;
  bool empty() const;
  size_t size() const;
  size_t max_size() const;
  void clear();
  C& front() const;
  C& back() const;
  C& at(size_t n) const;
  C& operator[](size_t n) const;
  const C* data() const;
  size_t length() const;
  void remove_prefix(size_t n);
  void remove_suffix(size_t n);
  basic_string_view substr(size_t at = 0, size_t n = 0) const;
  int compare(basic_string_view s) const;
  size_t find(basic_string_view s, size_t at = 0) const;
  size_t rfind(basic_string_view s, size_t at = 0) const;
  size_t find_first_of(basic_string_view s, size_t at = 0) const;
  size_t find_last_of(basic_string_view s, size_t at = 0) const;
  size_t find_first_not_of(basic_string_view s, size_t at = 0) const;
  size_t find_last_not_of(basic_string_view s, size_t at = 0) const;
  bool starts_with(basic_string_view s) const;
  bool ends_with(basic_string_view s) const;
};
using string = basic_string<char>;
using wstring = basic_string<wchar_t>;
using u16string = basic_string<char16_t>;
using u32string = basic_string<char32_t>;
using string_view = basic_string_view<char>;
using wstring_view = basic_string_view<wchar_t>;
string to_string(long value);

struct exception {
  const char* what() const;
};
struct runtime_error : exception {};
struct logic_error : exception {};
struct invalid_argument : logic_error {};
struct out_of_range : logic_error {};
struct length_error : logic_error {};
struct domain_error : logic_error {};
struct range_error : runtime_error {};
struct overflow_error : runtime_error {};
struct underflow_error : runtime_error {};
struct error_category {
  const char* name() const;
  string message(int code) const;
};
struct error_code {
  int value() const;
  const error_category& category() const;
  string message() const;
  void clear();
  operator bool() const;
};
struct system_error : runtime_error {
  const error_code& code() const;
};
struct bad_alloc : exception {};
struct bad_cast : exception {};

template <typename C, typename R = void>
struct basic_ios {
  bool good() const;
  bool eof() const;
  bool fail() const;
  bool bad() const;
  void clear();
  void setstate(int state);
  int rdstate() const;
  operator bool() const;
};
template <typename C, typename R = void>
struct basic_ostream : basic_ios<C, R> {
  basic_ostream& put(C c);
  basic_ostream& write(const C* s, long n);
  basic_ostream& flush();
  basic_ostream& seekp(long at);
  long tellp();
};
template <typename C, typename R = void>
struct basic_istream : basic_ios<C, R> {
  basic_istream& get(C& c);
  basic_istream& read(C* s, long n);
  basic_istream& getline(C* s, long n);
  basic_istream& ignore(long n);
  basic_istream& seekg(long at);
  long tellg();
  long gcount() const;
  int peek();
};
template <typename C, typename R = void>
struct basic_iostream : basic_istream<C, R>, basic_ostream<C, R> {};
template <typename C, typename R = void>
struct basic_ostringstream : basic_ostream<C, R> {
  basic_string<C> str() const;
};
template <typename C, typename R = void>
struct basic_istringstream : basic_istream<C, R> {
  basic_string<C> str() const;
};
template <typename C, typename R = void>
struct basic_stringstream : basic_iostream<C, R> {
  basic_string<C> str() const;
};
template <typename C, typename R = void>
struct basic_ofstream : basic_ostream<C, R> {
  void open(const string& path);
  bool is_open() const;
  void close();
};
template <typename C, typename R = void>
struct basic_ifstream : basic_istream<C, R> {
  void open(const string& path);
  bool is_open() const;
  void close();
};
using ostream = basic_ostream<char>;
using istream = basic_istream<char>;
using iostream = basic_iostream<char>;
using ostringstream = basic_ostringstream<char>;
using istringstream = basic_istringstream<char>;
using stringstream = basic_stringstream<char>;
using ofstream = basic_ofstream<char>;
using ifstream = basic_ifstream<char>;

struct mutex {
  void lock();
  bool try_lock();
  void unlock();
};
template <typename M>
struct lock_guard {};
template <typename M>
struct unique_lock {
  void lock();
  bool try_lock();
  void unlock();
  bool owns_lock() const;
  M* mutex() const;
};
struct condition_variable {
  void notify_one();
  void notify_all();
};
struct thread {
  void join();
  void detach();
  bool joinable() const;
  static unsigned hardware_concurrency();
};

template <typename I>
I next(I at, long n = 1);
template <typename I>
I prev(I at, long n = 1);
template <typename C>
auto begin(C& of) -> decltype(of.begin());
template <typename I, typename T>
I find(I first, I last, const T& value);
template <typename I, typename F>
I find_if(I first, I last, F test);
template <typename I, typename F>
I find_if_not(I first, I last, F test);
template <typename I, typename T>
I lower_bound(I first, I last, const T& value);
template <typename I, typename T>
I upper_bound(I first, I last, const T& value);
template <typename I>
I max_element(I first, I last);
template <typename I>
I min_element(I first, I last);
template <typename I, typename T>
I remove(I first, I last, const T& value);
template <typename I, typename F>
I remove_if(I first, I last, F test);
template <typename I>
I unique(I first, I last);
template <typename I, typename F>
I partition(I first, I last, F test);
}  // namespace std
