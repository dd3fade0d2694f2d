namespace Acme
{
    class Whole
    {
        int A() { return 1; }

        int B( { return 2;

        int C() { return 3; }
    }

    class After { void D() { } }
}
