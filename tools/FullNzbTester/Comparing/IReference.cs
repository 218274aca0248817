using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Comparing;

/// <summary>The expected bytes of a file. Thread-safe; each check belongs to one reader.</summary>
internal interface IReference
{
    /// <summary>Opens a check for a reader that begins at <paramref name="start"/>. Disposing it ends the check.</summary>
    IRangeCheck Open(Stage stage, long start);
}

/// <summary>Checks the bytes of one reader, in order. Disposing it reports what was wrong.</summary>
internal interface IRangeCheck : IDisposable
{
    /// <summary>Compares the next bytes that the reader received.</summary>
    void Take(ReadOnlySpan<byte> bytes);

    /// <summary>Called when the read was visibly cut: wrong bytes at its end then do not count as wrong.</summary>
    void Forgive();
}

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
