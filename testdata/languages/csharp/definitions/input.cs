// Copyright of the file, which documents nothing.

using System;

namespace Acme.Shop
{
    /// <summary>A shelf of things.</summary>
    [Serializable, Obsolete("old")]
    public abstract partial class Shelf<T> : Base<T>, IShelf where T : IThing, new()
    {
        private const int Max = 3, Min = 1;
        public event EventHandler Changed;
        public event EventHandler Moved { add { } remove { } }
        public string Name { get; private set; } = "shelf";
        internal int Count => items.Count;

        /* What it is made with. */
        public Shelf(string name) : base(name) { Name = name; }
        static Shelf() { }
        ~Shelf() { }
        public T this[int i] { get { return items[i]; } set { items[i] = value; } }
        public static Shelf<T> operator +(Shelf<T> a, T b) => a;
        public static implicit operator int(Shelf<T> a) => 1;
        protected virtual T Get<U>(U key, params int[] rest) where U : class
        {
            int Local(int n) => n + 1;
            return default;
        }
        void IShelf.Clear() { }
        partial void OnChanged();

        enum Size : byte { Small, Large = 2 }
        private struct Slot { public int X; }
        public delegate int Compare(T a, T b);

#if DEBUG
        public int Debugged;
#else
        public int Released;
#endif
    }

    public interface IShelf { void Clear(); int Count { get; } }
    public record Person(string First, int Age = 3) : IPerson;
    public readonly record struct Point(int X, int Y) { }
    public static class ShelfExtensions
    {
        public static int Twice(this int x) => x * 2;
        public static int Once(int x) => x;
    }
    namespace Inner.Most { class Deep { } }
}
