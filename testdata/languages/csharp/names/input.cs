global using System.Text;
using System;
using static System.Math;
using Map = System.Collections.Generic.Dictionary<string, int>;

namespace Acme.Shop;

[Table("things", Schema = "x")]
class Names(int seed)
{
    string name;
    public string Name
    {
        get { return name; }
        set { name = value; }
    }

    void Use(object key, params string[] rest)
    {
        if (key is string s && s.Length > 2) return;
        if (key is Point { X: 1, Y: var y } point) y.Go(point);
        switch (key)
        {
            case Names other when other.name == nameof(Name):
                break;
        }
        Try(out var result, out int number, name: result?.Text?.Trim());
        var q = from r in rest
                join o in Others() on r equals o.Key into group
                let size = r.Length
                where size > seed
                select new { r.Length, Size = size, r };
        var p = new Point { X = number, Inner = { Y = 2 } };
        var (left, right) = (q, p);
        var copy = p with { X = left.Count };
        foreach (var (a, b) in copy.Pairs) Use(a + b + right);
        rest[0].Get<Point>(global::System.Math.Pi);
        try { base.ToString(); }
        catch (Exception e) when (e.Message != null) { throw; }
        Func<int, int> f = n => n + this.name.Length;
        Changed += (sender, args) => args.Stop();
    label:
        goto label;
    }
}
