namespace NzbDav.FullNzbTester.Comparing;

/// <summary>Checks the bytes of one reader, in order. Disposing it reports what was wrong.</summary>
internal interface IRangeCheck : IDisposable
{
    /// <summary>Compares the next bytes that the reader received.</summary>
    void Take(ReadOnlySpan<byte> bytes);

    /// <summary>Called when the read was visibly cut: wrong bytes at its end then do not count as wrong.</summary>
    void Forgive();
}
