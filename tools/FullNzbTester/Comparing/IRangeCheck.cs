namespace NzbDav.FullNzbTester;

/// <summary>Follows one reader through a file, in order. Its disposal reports what was wrong.</summary>
internal interface IRangeCheck : IDisposable
{
    /// <summary>The next bytes that the reader got.</summary>
    void Take(ReadOnlySpan<byte> bytes);
}
