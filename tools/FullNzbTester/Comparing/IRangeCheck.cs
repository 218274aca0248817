namespace NzbDav.FullNzbTester.Comparing;

/// <summary>Follows one reader through a file, in order. Its disposal reports what was wrong.</summary>
internal interface IRangeCheck : IDisposable
{
    /// <summary>The next bytes that the reader got.</summary>
    void Take(ReadOnlySpan<byte> bytes);

    /// <summary>The read was broken off where the reader could see it, so wrong bytes at its end were not passed off as right ones.</summary>
    void Forgive();
}
