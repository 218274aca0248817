namespace NzbDav.FullNzbTester.Comparing;

/// <summary>Checks the bytes of one reader, in order. Disposing it reports what was wrong.</summary>
internal interface IRangeCheck : IDisposable
{
    /// <summary>Takes the next bytes that the reader received.</summary>
    void Take(ReadOnlySpan<byte> bytes);

    /// <summary>The read was visibly broken off, so wrong bytes at its end do not count as wrong.</summary>
    void Forgive();
}
