namespace NzbDav.Content;

/// <summary>What a reader gave in place of bytes that are gone everywhere. Only where the user asked for it.</summary>
/// <param name="Bytes">All of them since the reader was opened.</param>
/// <param name="Segment">The segment of the latest, by its index in the file's <see cref="ExtentMap"/>.</param>
/// <param name="Reason">Why the latest could not be had, as sentences.</param>
public sealed record ReaderFiller(long Bytes, int Segment, string Reason)
{
    /// <summary>Of two readers of one file, one after the other.</summary>
    public static ReaderFiller? Sum(ReaderFiller? earlier, ReaderFiller? later) =>
        earlier is null || later is null ? later ?? earlier : later with { Bytes = earlier.Bytes + later.Bytes };
}
