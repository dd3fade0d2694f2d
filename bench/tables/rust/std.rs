pub enum Option<T> { None, Some(T) }
impl<T> Option<T> {
    pub fn is_some(&self) -> Bool;
    pub fn is_none(&self) -> Bool;
    pub fn is_some_and(self, f: impl FnOnce(T) -> Bool) -> Bool;
    pub fn is_none_or(self, f: impl FnOnce(T) -> Bool) -> Bool;
    pub fn as_ref(&self) -> Option<T>;
    pub fn as_mut(&mut self) -> Option<T>;
    pub fn as_pin_ref(self) -> Option<Pin<T>>;
    pub fn as_pin_mut(self) -> Option<Pin<T>>;
    pub fn expect(self, msg: &Str) -> T;
    pub fn unwrap(self) -> T;
    pub fn unwrap_or(self, default: T) -> T;
    pub fn unwrap_or_else(self, f: impl FnOnce() -> T) -> T;
    pub fn unwrap_or_default(self) -> T;
    pub unsafe fn unwrap_unchecked(self) -> T;
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Option<U>;
    pub fn inspect(self, f: impl FnOnce(T)) -> Option<T>;
    pub fn map_or<U>(self, default: U, f: impl FnOnce(T) -> U) -> U;
    pub fn map_or_else<U>(self, default: impl FnOnce() -> U, f: impl FnOnce(T) -> U) -> U;
    pub fn ok_or<E>(self, err: E) -> Result<T, E>;
    pub fn ok_or_else<E>(self, err: impl FnOnce() -> E) -> Result<T, E>;
    pub fn as_deref(&self) -> Option<T>;
    pub fn as_deref_mut(&mut self) -> Option<T>;
    pub fn iter(&self) -> Iter<T>;
    pub fn iter_mut(&mut self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn and<U>(self, other: Option<U>) -> Option<U>;
    pub fn and_then<U>(self, f: impl FnOnce(T) -> Option<U>) -> Option<U>;
    pub fn filter(self, f: impl FnOnce(T) -> Bool) -> Option<T>;
    pub fn or(self, other: Option<T>) -> Option<T>;
    pub fn or_else(self, f: impl FnOnce() -> Option<T>) -> Option<T>;
    pub fn xor(self, other: Option<T>) -> Option<T>;
    pub fn insert(&mut self, value: T) -> T;
    pub fn get_or_insert(&mut self, value: T) -> T;
    pub fn get_or_insert_with(&mut self, f: impl FnOnce() -> T) -> T;
    pub fn take(&mut self) -> Option<T>;
    pub fn take_if(&mut self, f: impl FnOnce(T) -> Bool) -> Option<T>;
    pub fn replace(&mut self, value: T) -> Option<T>;
    pub fn zip<U>(self, other: Option<U>) -> Option<(T, U)>;
    pub fn copied(self) -> Option<T>;
    pub fn cloned(self) -> Option<T>;
    pub fn clone(&self) -> Option<T>;
    pub fn transpose(self) -> T;
    pub fn flatten(self) -> T;
}
pub enum Result<T, E> { Ok(T), Err(E) }
impl<T, E> Result<T, E> {
    pub fn is_ok(&self) -> Bool;
    pub fn is_err(&self) -> Bool;
    pub fn is_ok_and(self, f: impl FnOnce(T) -> Bool) -> Bool;
    pub fn is_err_and(self, f: impl FnOnce(E) -> Bool) -> Bool;
    pub fn ok(self) -> Option<T>;
    pub fn err(self) -> Option<E>;
    pub fn as_ref(&self) -> Result<T, E>;
    pub fn as_mut(&mut self) -> Result<T, E>;
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Result<U, E>;
    pub fn map_or<U>(self, default: U, f: impl FnOnce(T) -> U) -> U;
    pub fn map_or_else<U>(self, default: impl FnOnce(E) -> U, f: impl FnOnce(T) -> U) -> U;
    pub fn map_err<F>(self, f: impl FnOnce(E) -> F) -> Result<T, F>;
    pub fn inspect(self, f: impl FnOnce(T)) -> Result<T, E>;
    pub fn inspect_err(self, f: impl FnOnce(E)) -> Result<T, E>;
    pub fn as_deref(&self) -> Result<T, E>;
    pub fn as_deref_mut(&mut self) -> Result<T, E>;
    pub fn iter(&self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn expect(self, msg: &Str) -> T;
    pub fn unwrap(self) -> T;
    pub fn unwrap_or(self, default: T) -> T;
    pub fn unwrap_or_else(self, f: impl FnOnce(E) -> T) -> T;
    pub fn unwrap_or_default(self) -> T;
    pub fn expect_err(self, msg: &Str) -> E;
    pub fn unwrap_err(self) -> E;
    pub fn and<U>(self, other: Result<U, E>) -> Result<U, E>;
    pub fn and_then<U>(self, f: impl FnOnce(T) -> Result<U, E>) -> Result<U, E>;
    pub fn or<F>(self, other: Result<T, F>) -> Result<T, F>;
    pub fn or_else<F>(self, f: impl FnOnce(E) -> Result<T, F>) -> Result<T, F>;
    pub fn copied(self) -> Result<T, E>;
    pub fn cloned(self) -> Result<T, E>;
    pub fn clone(&self) -> Result<T, E>;
    pub fn transpose(self) -> Option<Result<T, E>>;
}
// What derives give, and the library all types.
pub trait Derived {
    fn default() -> Self;
    fn clone(&self) -> Self;
    fn to_owned(&self) -> Self;
    fn from<T>(value: T) -> Self;
    fn try_from<T>(value: T) -> Result<Self, ConversionError>;
    fn from_str(text: &Str) -> Result<Self, ConversionError>;
    fn from_iter<I>(values: I) -> Self;
    fn to_string(&self) -> String;
    fn cmp(&self, other: &Self) -> Ordering;
    fn partial_cmp(&self, other: &Self) -> Option<Ordering>;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn clamp(self, min: Self, max: Self) -> Self;
    fn eq(&self, other: &Self) -> Bool;
    fn ne(&self, other: &Self) -> Bool;
}
pub fn take<T>(dest: &mut T) -> T;
pub fn replace<T>(dest: &mut T, src: T) -> T;
pub enum Poll<T> { Ready(T), Pending }
impl<T> Poll<T> {
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Poll<U>;
    pub fn is_ready(&self) -> Bool;
    pub fn is_pending(&self) -> Bool;
    pub fn map_ok(self, f: impl FnOnce(T) -> T) -> Poll<T>;
    pub fn map_err(self, f: impl FnOnce(T) -> T) -> Poll<T>;
}
pub enum Ordering { Less, Equal, Greater, Relaxed, Release, Acquire, AcqRel, SeqCst }
impl Ordering {
    pub fn is_eq(self) -> Bool;
    pub fn is_lt(self) -> Bool;
    pub fn reverse(self) -> Ordering;
    pub fn then(self, other: Ordering) -> Ordering;
    pub fn then_with(self, f: impl FnOnce() -> Ordering) -> Ordering;
}
pub enum Cow<T> { Borrowed(T), Owned(T) }
impl<T> Cow<T> {
    pub fn into_owned(self) -> T;
    pub fn to_mut(&mut self) -> T;
}
pub trait Iterator<Item> {
    fn next(&mut self) -> Option<Item>;
    fn size_hint(&self) -> (Number, Option<Number>);
    fn count(self) -> Number;
    fn last(self) -> Option<Item>;
    fn nth(&mut self, n: Number) -> Option<Item>;
    fn step_by(self, step: Number) -> Iter<Item>;
    fn chain<U>(self, other: U) -> Iter<Item>;
    fn zip<U>(self, other: Iter<U>) -> Iter<(Item, U)>;
    fn map<B>(self, f: impl FnMut(Item) -> B) -> Iter<B>;
    fn for_each(self, f: impl FnMut(Item));
    fn filter(self, f: impl FnMut(Item) -> Bool) -> Iter<Item>;
    fn filter_map<B>(self, f: impl FnMut(Item) -> Option<B>) -> Iter<B>;
    fn enumerate(self) -> Iter<(Number, Item)>;
    fn peekable(self) -> Iter<Item>;
    fn skip_while(self, f: impl FnMut(Item) -> Bool) -> Iter<Item>;
    fn take_while(self, f: impl FnMut(Item) -> Bool) -> Iter<Item>;
    fn map_while<B>(self, f: impl FnMut(Item) -> Option<B>) -> Iter<B>;
    fn skip(self, n: Number) -> Iter<Item>;
    fn take(self, n: Number) -> Iter<Item>;
    fn scan<S, B>(self, state: S, f: impl FnMut(S, Item) -> Option<B>) -> Iter<B>;
    fn flat_map<B>(self, f: impl FnMut(Item) -> Iter<B>) -> Iter<B>;
    fn fuse(self) -> Iter<Item>;
    fn inspect(self, f: impl FnMut(Item)) -> Iter<Item>;
    fn by_ref(&mut self) -> Iter<Item>;
    fn partition<B>(self, f: impl FnMut(Item) -> Bool) -> (B, B);
    fn fold<B>(self, init: B, f: impl FnMut(B, Item) -> B) -> B;
    fn try_fold<B, R>(&mut self, init: B, f: impl FnMut(B, Item) -> R) -> R;
    fn try_for_each<R>(&mut self, f: impl FnMut(Item) -> R) -> R;
    fn reduce(self, f: impl FnMut(Item, Item) -> Item) -> Option<Item>;
    fn all(&mut self, f: impl FnMut(Item) -> Bool) -> Bool;
    fn any(&mut self, f: impl FnMut(Item) -> Bool) -> Bool;
    fn find(&mut self, f: impl FnMut(Item) -> Bool) -> Option<Item>;
    fn find_map<B>(&mut self, f: impl FnMut(Item) -> Option<B>) -> Option<B>;
    fn position(&mut self, f: impl FnMut(Item) -> Bool) -> Option<Number>;
    fn rposition(&mut self, f: impl FnMut(Item) -> Bool) -> Option<Number>;
    fn max(self) -> Option<Item>;
    fn min(self) -> Option<Item>;
    fn max_by_key<B>(self, f: impl FnMut(Item) -> B) -> Option<Item>;
    fn max_by(self, f: impl FnMut(Item, Item) -> Ordering) -> Option<Item>;
    fn min_by_key<B>(self, f: impl FnMut(Item) -> B) -> Option<Item>;
    fn min_by(self, f: impl FnMut(Item, Item) -> Ordering) -> Option<Item>;
    fn rev(self) -> Iter<Item>;
    fn copied(self) -> Iter<Item>;
    fn cloned(self) -> Iter<Item>;
    fn cycle(self) -> Iter<Item>;
    fn next_back(&mut self) -> Option<Item>;
    fn into_iter(self) -> Iter<Item>;
    fn len(&self) -> Number;
    fn sum<S>(self) -> S;
    fn product<S>(self) -> S;
    fn collect<B>(self) -> B;
    fn unzip<A, B>(self) -> (A, B);
    fn flatten(self) -> Iter<Item>;
}
pub struct Iter<T> {}
impl<T> Iter<T> {
    pub fn next(&mut self) -> Option<T>;
    pub fn peek(&mut self) -> Option<T>;
    pub fn peek_mut(&mut self) -> Option<T>;
    pub fn next_if(&mut self, f: impl FnOnce(T) -> Bool) -> Option<T>;
    pub fn next_if_eq(&mut self, other: T) -> Option<T>;
    pub fn next_back(&mut self) -> Option<T>;
    pub fn size_hint(&self) -> (Number, Option<Number>);
    pub fn len(&self) -> Number;
    pub fn count(self) -> Number;
    pub fn last(self) -> Option<T>;
    pub fn nth(&mut self, n: Number) -> Option<T>;
    pub fn step_by(self, step: Number) -> Iter<T>;
    pub fn chain<U>(self, other: U) -> Iter<T>;
    pub fn zip<U>(self, other: Iter<U>) -> Iter<(T, U)>;
    pub fn map<B>(self, f: impl FnMut(T) -> B) -> Iter<B>;
    pub fn for_each(self, f: impl FnMut(T));
    pub fn filter(self, f: impl FnMut(T) -> Bool) -> Iter<T>;
    pub fn filter_map<B>(self, f: impl FnMut(T) -> Option<B>) -> Iter<B>;
    pub fn enumerate(self) -> Iter<(Number, T)>;
    pub fn peekable(self) -> Iter<T>;
    pub fn skip_while(self, f: impl FnMut(T) -> Bool) -> Iter<T>;
    pub fn take_while(self, f: impl FnMut(T) -> Bool) -> Iter<T>;
    pub fn map_while<B>(self, f: impl FnMut(T) -> Option<B>) -> Iter<B>;
    pub fn skip(self, n: Number) -> Iter<T>;
    pub fn take(self, n: Number) -> Iter<T>;
    pub fn scan<S, B>(self, state: S, f: impl FnMut(S, T) -> Option<B>) -> Iter<B>;
    pub fn flat_map<B>(self, f: impl FnMut(T) -> Iter<B>) -> Iter<B>;
    pub fn flatten(self) -> Iter<T>;
    pub fn fuse(self) -> Iter<T>;
    pub fn inspect(self, f: impl FnMut(T)) -> Iter<T>;
    pub fn by_ref(&mut self) -> Iter<T>;
    pub fn partition<B>(self, f: impl FnMut(T) -> Bool) -> (B, B);
    pub fn fold<B>(self, init: B, f: impl FnMut(B, T) -> B) -> B;
    pub fn try_fold<B, R>(&mut self, init: B, f: impl FnMut(B, T) -> R) -> R;
    pub fn try_for_each<R>(&mut self, f: impl FnMut(T) -> R) -> R;
    pub fn reduce(self, f: impl FnMut(T, T) -> T) -> Option<T>;
    pub fn all(&mut self, f: impl FnMut(T) -> Bool) -> Bool;
    pub fn any(&mut self, f: impl FnMut(T) -> Bool) -> Bool;
    pub fn find(&mut self, f: impl FnMut(T) -> Bool) -> Option<T>;
    pub fn find_map<B>(&mut self, f: impl FnMut(T) -> Option<B>) -> Option<B>;
    pub fn position(&mut self, f: impl FnMut(T) -> Bool) -> Option<Number>;
    pub fn rposition(&mut self, f: impl FnMut(T) -> Bool) -> Option<Number>;
    pub fn max(self) -> Option<T>;
    pub fn min(self) -> Option<T>;
    pub fn max_by_key<B>(self, f: impl FnMut(T) -> B) -> Option<T>;
    pub fn max_by(self, f: impl FnMut(T, T) -> Ordering) -> Option<T>;
    pub fn min_by_key<B>(self, f: impl FnMut(T) -> B) -> Option<T>;
    pub fn min_by(self, f: impl FnMut(T, T) -> Ordering) -> Option<T>;
    pub fn rev(self) -> Iter<T>;
    pub fn copied(self) -> Iter<T>;
    pub fn cloned(self) -> Iter<T>;
    pub fn cycle(self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn as_slice(&self) -> Slice<T>;
    pub fn sum<S>(self) -> S;
    pub fn product<S>(self) -> S;
    pub fn collect<B>(self) -> B;
    pub fn unzip<A, B>(self) -> (A, B);
    pub fn clone(&self) -> Iter<T>;
}
pub trait IntoIterator<Item> { fn into_iter(self) -> Iter<Item>; }
pub trait Future<Output> { fn poll(self, cx: &mut Context) -> Poll<Output>; }
pub struct Slice<T> {}
impl<T> Slice<T> {
    pub fn len(&self) -> Number;
    pub fn is_empty(&self) -> Bool;
    pub fn first(&self) -> Option<T>;
    pub fn first_mut(&mut self) -> Option<T>;
    pub fn split_first(&self) -> Option<(T, Slice<T>)>;
    pub fn split_last(&self) -> Option<(T, Slice<T>)>;
    pub fn last(&self) -> Option<T>;
    pub fn last_mut(&mut self) -> Option<T>;
    pub fn get(&self, index: Number) -> Option<T>;
    pub fn get_mut(&mut self, index: Number) -> Option<T>;
    pub unsafe fn get_unchecked(&self, index: Number) -> T;
    pub unsafe fn get_unchecked_mut(&mut self, index: Number) -> T;
    pub fn index(&self, index: Number) -> T;
    pub fn iter(&self) -> Iter<T>;
    pub fn iter_mut(&mut self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Slice<U>;
    pub fn windows(&self, n: Number) -> Iter<Slice<T>>;
    pub fn chunks(&self, n: Number) -> Iter<Slice<T>>;
    pub fn chunks_mut(&mut self, n: Number) -> Iter<Slice<T>>;
    pub fn chunks_exact(&self, n: Number) -> Iter<Slice<T>>;
    pub fn split_at(&self, n: Number) -> (Slice<T>, Slice<T>);
    pub fn split_at_mut(&mut self, n: Number) -> (Slice<T>, Slice<T>);
    pub fn split(&self, f: impl FnMut(T) -> Bool) -> Iter<Slice<T>>;
    pub fn contains(&self, x: T) -> Bool;
    pub fn starts_with(&self, x: Slice<T>) -> Bool;
    pub fn ends_with(&self, x: Slice<T>) -> Bool;
    pub fn binary_search_by(&self, f: impl FnMut(T) -> Ordering) -> Result<Number, Number>;
    pub fn binary_search_by_key<B>(&self, b: B, f: impl FnMut(T) -> B) -> Result<Number, Number>;
    pub fn sort(&mut self);
    pub fn sort_by(&mut self, f: impl FnMut(T, T) -> Ordering);
    pub fn sort_by_key<K>(&mut self, f: impl FnMut(T) -> K);
    pub fn sort_unstable_by(&mut self, f: impl FnMut(T, T) -> Ordering);
    pub fn sort_unstable_by_key<K>(&mut self, f: impl FnMut(T) -> K);
    pub fn swap(&mut self, a: Number, b: Number);
    pub fn reverse(&mut self);
    pub fn to_vec(&self) -> Vec<T>;
    pub fn to_owned(&self) -> Vec<T>;
    pub fn into_vec(self) -> Vec<T>;
    pub fn concat(&self) -> T;
    pub fn join<S>(&self, sep: S) -> String;
    pub fn as_ref(&self) -> Slice<T>;
    pub fn clone(&self) -> Slice<T>;
    pub fn as_slice(&self) -> Slice<T>;
}
pub struct Vec<T> {}
impl<T> Vec<T> {
    pub fn new() -> Vec<T>;
    pub fn with_capacity(n: Number) -> Vec<T>;
    pub fn from(values: Slice<T>) -> Vec<T>;
    pub fn from_iter(values: Iter<T>) -> Vec<T>;
    pub fn push(&mut self, value: T);
    pub fn pop(&mut self) -> Option<T>;
    pub fn insert(&mut self, index: Number, value: T);
    pub fn remove(&mut self, index: Number) -> T;
    pub fn swap_remove(&mut self, index: Number) -> T;
    pub fn retain(&mut self, f: impl FnMut(T) -> Bool);
    pub fn retain_mut(&mut self, f: impl FnMut(T) -> Bool);
    pub fn drain<R>(&mut self, range: R) -> Iter<T>;
    pub fn extend<I>(&mut self, values: I);
    pub fn append(&mut self, other: &mut Vec<T>);
    pub fn truncate(&mut self, n: Number);
    pub fn clear(&mut self);
    pub fn resize(&mut self, n: Number, value: T);
    pub fn split_off(&mut self, n: Number) -> Vec<T>;
    pub fn dedup_by_key<K>(&mut self, f: impl FnMut(T) -> K);
    pub fn capacity(&self) -> Number;
    pub fn reserve(&mut self, n: Number);
    pub fn as_slice(&self) -> Slice<T>;
    pub fn as_mut_slice(&mut self) -> Slice<T>;
    pub fn into_boxed_slice(self) -> Box<Slice<T>>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn clone(&self) -> Vec<T>;
    pub fn index(&self, index: Number) -> T;
}
impl<T> Deref for Vec<T> { type Target = Slice<T>; }
pub struct VecDeque<T> {}
impl<T> VecDeque<T> {
    pub fn new() -> VecDeque<T>;
    pub fn with_capacity(n: Number) -> VecDeque<T>;
    pub fn push_back(&mut self, value: T);
    pub fn push_front(&mut self, value: T);
    pub fn pop_back(&mut self) -> Option<T>;
    pub fn pop_front(&mut self) -> Option<T>;
    pub fn back(&self) -> Option<T>;
    pub fn back_mut(&mut self) -> Option<T>;
    pub fn front(&self) -> Option<T>;
    pub fn front_mut(&mut self) -> Option<T>;
    pub fn drain<R>(&mut self, range: R) -> Iter<T>;
    pub fn remove(&mut self, index: Number) -> Option<T>;
    pub fn retain(&mut self, f: impl FnMut(T) -> Bool);
    pub fn into_iter(self) -> Iter<T>;
    pub fn as_slices(&self) -> (Slice<T>, Slice<T>);
    pub fn clone(&self) -> VecDeque<T>;
}
impl<T> Deref for VecDeque<T> { type Target = Slice<T>; }
pub struct BinaryHeap<T> {}
impl<T> BinaryHeap<T> {
    pub fn new() -> BinaryHeap<T>;
    pub fn push(&mut self, value: T);
    pub fn pop(&mut self) -> Option<T>;
    pub fn peek(&self) -> Option<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn iter(&self) -> Iter<T>;
    pub fn len(&self) -> Number;
    pub fn is_empty(&self) -> Bool;
}
pub struct HashMap<K, V> {}
impl<K, V> HashMap<K, V> {
    pub fn new() -> HashMap<K, V>;
    pub fn with_capacity(n: Number) -> HashMap<K, V>;
    pub fn get<Q>(&self, key: Q) -> Option<V>;
    pub fn get_mut<Q>(&mut self, key: Q) -> Option<V>;
    pub fn get_key_value<Q>(&self, key: Q) -> Option<(K, V)>;
    pub fn contains_key<Q>(&self, key: Q) -> Bool;
    pub fn insert(&mut self, key: K, value: V) -> Option<V>;
    pub fn remove<Q>(&mut self, key: Q) -> Option<V>;
    pub fn remove_entry<Q>(&mut self, key: Q) -> Option<(K, V)>;
    pub fn entry(&mut self, key: K) -> Entry<K, V>;
    pub fn keys(&self) -> Iter<K>;
    pub fn into_keys(self) -> Iter<K>;
    pub fn values(&self) -> Iter<V>;
    pub fn values_mut(&mut self) -> Iter<V>;
    pub fn into_values(self) -> Iter<V>;
    pub fn iter(&self) -> Iter<(K, V)>;
    pub fn iter_mut(&mut self) -> Iter<(K, V)>;
    pub fn into_iter(self) -> Iter<(K, V)>;
    pub fn drain(&mut self) -> Iter<(K, V)>;
    pub fn retain(&mut self, f: impl FnMut(K, V) -> Bool);
    pub fn extend<I>(&mut self, values: I);
    pub fn index<Q>(&self, key: Q) -> V;
    pub fn len(&self) -> Number;
    pub fn is_empty(&self) -> Bool;
    pub fn clear(&mut self);
    pub fn clone(&self) -> HashMap<K, V>;
}
pub struct BTreeMap<K, V> {}
impl<K, V> BTreeMap<K, V> {
    pub fn new() -> BTreeMap<K, V>;
    pub fn get<Q>(&self, key: Q) -> Option<V>;
    pub fn get_mut<Q>(&mut self, key: Q) -> Option<V>;
    pub fn contains_key<Q>(&self, key: Q) -> Bool;
    pub fn insert(&mut self, key: K, value: V) -> Option<V>;
    pub fn remove<Q>(&mut self, key: Q) -> Option<V>;
    pub fn entry(&mut self, key: K) -> Entry<K, V>;
    pub fn keys(&self) -> Iter<K>;
    pub fn into_keys(self) -> Iter<K>;
    pub fn values(&self) -> Iter<V>;
    pub fn values_mut(&mut self) -> Iter<V>;
    pub fn into_values(self) -> Iter<V>;
    pub fn iter(&self) -> Iter<(K, V)>;
    pub fn iter_mut(&mut self) -> Iter<(K, V)>;
    pub fn into_iter(self) -> Iter<(K, V)>;
    pub fn range<R>(&self, range: R) -> Iter<(K, V)>;
    pub fn first_key_value(&self) -> Option<(K, V)>;
    pub fn last_key_value(&self) -> Option<(K, V)>;
    pub fn pop_first(&mut self) -> Option<(K, V)>;
    pub fn pop_last(&mut self) -> Option<(K, V)>;
    pub fn range_mut<R>(&mut self, range: R) -> Iter<(K, V)>;
    pub fn retain(&mut self, f: impl FnMut(K, V) -> Bool);
    pub fn extend<I>(&mut self, values: I);
    pub fn index<Q>(&self, key: Q) -> V;
    pub fn len(&self) -> Number;
    pub fn is_empty(&self) -> Bool;
    pub fn clone(&self) -> BTreeMap<K, V>;
}
pub enum Entry<K, V> { Occupied(OccupiedEntry<K, V>), Vacant(VacantEntry<K, V>) }
impl<K, V> Entry<K, V> {
    pub fn or_insert(self, value: V) -> V;
    pub fn or_insert_with(self, f: impl FnOnce() -> V) -> V;
    pub fn or_default(self) -> V;
    pub fn and_modify(self, f: impl FnOnce(V)) -> Entry<K, V>;
    pub fn key(&self) -> K;
}
pub struct OccupiedEntry<K, V> {}
impl<K, V> OccupiedEntry<K, V> {
    pub fn key(&self) -> K;
    pub fn get(&self) -> V;
    pub fn get_mut(&mut self) -> V;
    pub fn into_mut(self) -> V;
    pub fn insert(&mut self, value: V) -> V;
    pub fn remove(self) -> V;
}
pub struct VacantEntry<K, V> {}
impl<K, V> VacantEntry<K, V> {
    pub fn key(&self) -> K;
    pub fn into_key(self) -> K;
    pub fn insert(self, value: V) -> V;
}
pub struct HashSet<T> {}
impl<T> HashSet<T> {
    pub fn new() -> HashSet<T>;
    pub fn insert(&mut self, value: T) -> Bool;
    pub fn contains<Q>(&self, value: Q) -> Bool;
    pub fn get<Q>(&self, value: Q) -> Option<T>;
    pub fn remove<Q>(&mut self, value: Q) -> Bool;
    pub fn take<Q>(&mut self, value: Q) -> Option<T>;
    pub fn iter(&self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn drain(&mut self) -> Iter<T>;
    pub fn union(&self, other: HashSet<T>) -> Iter<T>;
    pub fn intersection(&self, other: HashSet<T>) -> Iter<T>;
    pub fn difference(&self, other: HashSet<T>) -> Iter<T>;
    pub fn retain(&mut self, f: impl FnMut(T) -> Bool);
    pub fn extend<I>(&mut self, values: I);
    pub fn len(&self) -> Number;
    pub fn is_empty(&self) -> Bool;
    pub fn clone(&self) -> HashSet<T>;
}
pub struct BTreeSet<T> {}
impl<T> BTreeSet<T> {
    pub fn new() -> BTreeSet<T>;
    pub fn insert(&mut self, value: T) -> Bool;
    pub fn contains<Q>(&self, value: Q) -> Bool;
    pub fn remove<Q>(&mut self, value: Q) -> Bool;
    pub fn first(&self) -> Option<T>;
    pub fn last(&self) -> Option<T>;
    pub fn pop_first(&mut self) -> Option<T>;
    pub fn iter(&self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn extend<I>(&mut self, values: I);
    pub fn len(&self) -> Number;
    pub fn is_empty(&self) -> Bool;
    pub fn clone(&self) -> BTreeSet<T>;
}
pub struct String {}
impl String {
    pub fn new() -> String;
    pub fn with_capacity(n: Number) -> String;
    pub fn from<S>(text: S) -> String;
    pub fn from_utf8(bytes: Vec<Number>) -> Result<String, FromUtf8Error>;
    pub fn from_utf8_lossy(bytes: Slice<Number>) -> Cow<Str>;
    pub fn push(&mut self, c: Char);
    pub fn push_str(&mut self, text: &Str);
    pub fn pop(&mut self) -> Option<Char>;
    pub fn as_str(&self) -> Str;
    pub fn as_mut_str(&mut self) -> Str;
    pub fn into_bytes(self) -> Vec<Number>;
    pub fn into_boxed_str(self) -> Box<Str>;
    pub fn clone(&self) -> String;
    pub fn drain<R>(&mut self, range: R) -> Iter<Char>;
    pub fn capacity(&self) -> Number;
    pub fn clear(&mut self);
    pub fn truncate(&mut self, n: Number);
}
impl Deref for String { type Target = Str; }
pub struct Str {}
impl Str {
    pub fn len(&self) -> Number;
    pub fn is_empty(&self) -> Bool;
    pub fn as_bytes(&self) -> Slice<Number>;
    pub fn as_str(&self) -> Str;
    pub fn as_ref(&self) -> Str;
    pub fn chars(&self) -> Iter<Char>;
    pub fn char_indices(&self) -> Iter<(Number, Char)>;
    pub fn bytes(&self) -> Iter<Number>;
    pub fn lines(&self) -> Iter<Str>;
    pub fn split_whitespace(&self) -> Iter<Str>;
    pub fn contains<P>(&self, p: P) -> Bool;
    pub fn starts_with<P>(&self, p: P) -> Bool;
    pub fn ends_with<P>(&self, p: P) -> Bool;
    pub fn find<P>(&self, p: P) -> Option<Number>;
    pub fn rfind<P>(&self, p: P) -> Option<Number>;
    pub fn split<P>(&self, p: P) -> Iter<Str>;
    pub fn rsplit<P>(&self, p: P) -> Iter<Str>;
    pub fn splitn<P>(&self, n: Number, p: P) -> Iter<Str>;
    pub fn rsplitn<P>(&self, n: Number, p: P) -> Iter<Str>;
    pub fn split_terminator<P>(&self, p: P) -> Iter<Str>;
    pub fn split_once<P>(&self, p: P) -> Option<(Str, Str)>;
    pub fn rsplit_once<P>(&self, p: P) -> Option<(Str, Str)>;
    pub fn split_at(&self, n: Number) -> (Str, Str);
    pub fn trim(&self) -> Str;
    pub fn trim_start(&self) -> Str;
    pub fn trim_end(&self) -> Str;
    pub fn trim_matches<P>(&self, p: P) -> Str;
    pub fn trim_start_matches<P>(&self, p: P) -> Str;
    pub fn trim_end_matches<P>(&self, p: P) -> Str;
    pub fn strip_prefix<P>(&self, p: P) -> Option<Str>;
    pub fn strip_suffix<P>(&self, p: P) -> Option<Str>;
    pub fn get<R>(&self, range: R) -> Option<Str>;
    pub fn parse<F>(&self) -> Result<F, ParseError>;
    pub fn replace<P>(&self, p: P, to: &Str) -> String;
    pub fn to_lowercase(&self) -> String;
    pub fn to_uppercase(&self) -> String;
    pub fn to_ascii_lowercase(&self) -> String;
    pub fn to_ascii_uppercase(&self) -> String;
    pub fn repeat(&self, n: Number) -> String;
    pub fn to_string(&self) -> String;
    pub fn to_owned(&self) -> String;
    pub fn into_string(self) -> String;
    pub fn eq_ignore_ascii_case(&self, other: &Str) -> Bool;
    pub fn is_char_boundary(&self, n: Number) -> Bool;
    pub fn matches<P>(&self, p: P) -> Iter<Str>;
}
pub struct Bool {}
impl Bool {
    pub fn then<T>(self, f: impl FnOnce() -> T) -> Option<T>;
    pub fn then_some<T>(self, value: T) -> Option<T>;
}
pub struct Char {}
pub struct Number {}
pub struct Range {}
impl Range {
    pub fn into_iter(self) -> Iter<Number>;
    pub fn map<B>(self, f: impl FnMut(Number) -> B) -> Iter<B>;
    pub fn filter(self, f: impl FnMut(Number) -> Bool) -> Iter<Number>;
    pub fn flat_map<B>(self, f: impl FnMut(Number) -> Iter<B>) -> Iter<B>;
    pub fn filter_map<B>(self, f: impl FnMut(Number) -> Option<B>) -> Iter<B>;
    pub fn for_each(self, f: impl FnMut(Number));
    pub fn rev(self) -> Iter<Number>;
}
pub struct Box<T>(T);
impl<T> Box<T> {
    pub fn new(value: T) -> Box<T>;
    pub fn pin(value: T) -> Pin<Box<T>>;
    pub fn from(value: T) -> Box<T>;
    pub fn as_ref(&self) -> T;
    pub fn as_mut(&mut self) -> T;
    pub fn leak(b: Box<T>) -> T;
    pub fn into_pin(b: Box<T>) -> Pin<Box<T>>;
}
pub struct Rc<T>(T);
impl<T> Rc<T> {
    pub fn new(value: T) -> Rc<T>;
    pub fn clone(this: &Rc<T>) -> Rc<T>;
    pub fn from(value: T) -> Rc<T>;
    pub fn as_ref(&self) -> T;
    pub fn unwrap_or_clone(this: Rc<T>) -> T;
    pub fn downgrade(this: &Rc<T>) -> Weak<T>;
    pub fn get_mut(this: &mut Rc<T>) -> Option<T>;
    pub fn make_mut(this: &mut Rc<T>) -> T;
    pub fn try_unwrap(this: Rc<T>) -> Result<T, Rc<T>>;
    pub fn ptr_eq(a: &Rc<T>, b: &Rc<T>) -> Bool;
    pub fn strong_count(this: &Rc<T>) -> Number;
}
pub struct Arc<T>(T);
impl<T> Arc<T> {
    pub fn new(value: T) -> Arc<T>;
    pub fn clone(this: &Arc<T>) -> Arc<T>;
    pub fn from(value: T) -> Arc<T>;
    pub fn pin(value: T) -> Pin<Arc<T>>;
    pub fn as_ref(&self) -> T;
    pub fn unwrap_or_clone(this: Arc<T>) -> T;
    pub fn downgrade(this: &Arc<T>) -> Weak<T>;
    pub fn get_mut(this: &mut Arc<T>) -> Option<T>;
    pub fn make_mut(this: &mut Arc<T>) -> T;
    pub fn try_unwrap(this: Arc<T>) -> Result<T, Arc<T>>;
    pub fn into_inner(this: Arc<T>) -> Option<T>;
    pub fn ptr_eq(a: &Arc<T>, b: &Arc<T>) -> Bool;
    pub fn strong_count(this: &Arc<T>) -> Number;
    pub unsafe fn from_raw(ptr: T) -> Arc<T>;
    pub fn into_raw(this: Arc<T>) -> T;
    pub fn as_ptr(this: &Arc<T>) -> T;
}
pub struct Weak<T>(T);
impl<T> Weak<T> {
    pub fn new() -> Weak<T>;
    pub fn upgrade(&self) -> Option<Arc<T>>;
    pub fn clone(&self) -> Weak<T>;
}
pub struct Pin<T>(T);
impl<T> Pin<T> {
    pub fn new(value: T) -> Pin<T>;
    pub unsafe fn new_unchecked(value: T) -> Pin<T>;
    pub fn as_ref(&self) -> Pin<T>;
    pub fn as_mut(&mut self) -> Pin<T>;
    pub fn get_mut(self) -> T;
    pub fn get_ref(self) -> T;
    pub unsafe fn get_unchecked_mut(self) -> T;
    pub unsafe fn map_unchecked_mut<U>(self, f: impl FnOnce(T) -> U) -> Pin<U>;
    pub fn set(&mut self, value: T);
}
pub struct Cell<T>(T);
impl<T> Cell<T> {
    pub fn new(value: T) -> Cell<T>;
    pub fn get(&self) -> T;
    pub fn set(&self, value: T);
    pub fn take(&self) -> T;
    pub fn replace(&self, value: T) -> T;
    pub fn into_inner(self) -> T;
}
pub struct UnsafeCell<T>(T);
impl<T> UnsafeCell<T> {
    pub fn new(value: T) -> UnsafeCell<T>;
    pub fn get(&self) -> T;
    pub fn get_mut(&mut self) -> T;
    pub fn into_inner(self) -> T;
}
pub struct RefCell<T>(T);
impl<T> RefCell<T> {
    pub fn new(value: T) -> RefCell<T>;
    pub fn borrow(&self) -> Ref<T>;
    pub fn borrow_mut(&self) -> RefMut<T>;
    pub fn try_borrow(&self) -> Result<Ref<T>, BorrowError>;
    pub fn try_borrow_mut(&self) -> Result<RefMut<T>, BorrowMutError>;
    pub fn get_mut(&mut self) -> T;
    pub fn replace(&self, value: T) -> T;
    pub fn take(&self) -> T;
    pub fn into_inner(self) -> T;
}
pub struct Ref<T>(T);
pub struct RefMut<T>(T);
pub struct Mutex<T>(T);
impl<T> Mutex<T> {
    pub fn new(value: T) -> Mutex<T>;
    pub fn lock(&self) -> Result<MutexGuard<T>, PoisonError>;
    pub fn try_lock(&self) -> Result<MutexGuard<T>, PoisonError>;
    pub fn get_mut(&mut self) -> Result<T, PoisonError>;
    pub fn into_inner(self) -> Result<T, PoisonError>;
}
pub struct MutexGuard<T>(T);
pub struct RwLock<T>(T);
impl<T> RwLock<T> {
    pub fn new(value: T) -> RwLock<T>;
    pub fn read(&self) -> Result<RwLockReadGuard<T>, PoisonError>;
    pub fn write(&self) -> Result<RwLockWriteGuard<T>, PoisonError>;
    pub fn into_inner(self) -> Result<T, PoisonError>;
}
pub struct RwLockReadGuard<T>(T);
pub struct RwLockWriteGuard<T>(T);
pub struct OnceLock<T>(T);
impl<T> OnceLock<T> {
    pub fn new() -> OnceLock<T>;
    pub fn get(&self) -> Option<T>;
    pub fn set(&self, value: T) -> Result<(), T>;
    pub fn get_or_init(&self, f: impl FnOnce() -> T) -> T;
}
pub struct OnceCell<T>(T);
impl<T> OnceCell<T> {
    pub fn new() -> OnceCell<T>;
    pub fn get(&self) -> Option<T>;
    pub fn set(&self, value: T) -> Result<(), T>;
    pub fn get_or_init(&self, f: impl FnOnce() -> T) -> T;
}
pub struct LazyLock<T>(T);
impl<T> LazyLock<T> { pub fn new(f: impl FnOnce() -> T) -> LazyLock<T>; }
pub struct ManuallyDrop<T>(T);
impl<T> ManuallyDrop<T> { pub fn new(value: T) -> ManuallyDrop<T>; }
pub struct MaybeUninit<T>(T);
impl<T> MaybeUninit<T> {
    pub fn new(value: T) -> MaybeUninit<T>;
    pub fn uninit() -> MaybeUninit<T>;
    pub unsafe fn assume_init(self) -> T;
    pub unsafe fn assume_init_ref(&self) -> T;
    pub unsafe fn assume_init_mut(&mut self) -> T;
    pub fn as_ptr(&self) -> T;
    pub fn as_mut_ptr(&mut self) -> T;
}
pub struct NonNull<T>(T);
impl<T> NonNull<T> {
    pub fn new(ptr: T) -> Option<NonNull<T>>;
    pub unsafe fn new_unchecked(ptr: T) -> NonNull<T>;
    pub fn from(value: T) -> NonNull<T>;
    pub unsafe fn as_ref(&self) -> T;
    pub unsafe fn as_mut(&mut self) -> T;
    pub fn as_ptr(self) -> T;
    pub fn cast<U>(self) -> NonNull<U>;
    pub fn clone(&self) -> NonNull<T>;
}
pub struct Context {}
impl Context { pub fn waker(&self) -> Waker; pub fn from_waker(waker: &Waker) -> Context; }
pub struct Waker {}
impl Waker {
    pub fn wake(self);
    pub fn wake_by_ref(&self);
    pub fn clone(&self) -> Waker;
    pub fn will_wake(&self, other: &Waker) -> Bool;
}
