namespace NzbDav.Content;

/// <summary>Filler bytes that a reader gave in place of lost ones. Only where the user enabled it.</summary>
/// <param name="Bytes">Filler bytes since the reader was opened.</param>
/// <param name="Segment">The segment most recently replaced, by its index in the file's <see cref="ExtentMap"/>.</param>
/// <param name="Reason">Why that segment could not be read, as sentences.</param>
public sealed record ReaderFiller(long Bytes, int Segment, string Reason)
{
    /// <summary>Adds up the filler of two successive readers of one file.</summary>
    public static ReaderFiller? Sum(ReaderFiller? earlier, ReaderFiller? later) =>
        earlier is null || later is null ? later ?? earlier : later with { Bytes = earlier.Bytes + later.Bytes };
}
