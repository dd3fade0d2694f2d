using System.Collections.Generic;

class Types<TKey, TValue> where TKey : Key<TValue> where TValue : class, IValue
{
    Dictionary<TKey, List<TValue>> map = new Dictionary<TKey, List<TValue>>();
    int? count;
    int[][] table = new int[3][];
    (int a, string b) pair;
    Outer.Inner<TKey> nested;
    System.Func<TKey, TValue> find;

    public T Find<T>(T first, ref int second, string third = "x") where T : TValue
    {
        var list = new List<T> { first };
        var item = list[0];
        var made = first ?? item;
        var text = $"{count}" + 'c';
        var big = 1L + 2u;
        var real = 1.5f * 2.5m;
        var cast = (Outer)made;
        var other = made as Inner;
        var type = typeof(Dictionary<,>);
        var called = Find<int>(1, ref second).Next().Value;
        var chosen = count > 0 ? cast : null;
        var array = new[] { 1, 2 };
        return item;
    }

    async Task<int> Later(Task<int> task) => await task;
    delegate bool Test(TKey key);
}
