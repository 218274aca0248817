using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Comparing;

/// <summary>Discards the bytes, to show what comparing costs.</summary>
internal sealed class Unchecked : IReference, IRangeCheck
{
    public static Unchecked Instance { get; } = new();

    public IRangeCheck Open(Stage stage, long start) => this;

    public void Take(ReadOnlySpan<byte> bytes)
    {
    }

    public void Forgive()
    {
    }

    public void Dispose()
    {
    }
}
