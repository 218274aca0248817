namespace NzbDav.WebDav.Files;

/// <summary>Bytes <c>[Start, End)</c> of a file.</summary>
/// <param name="Start">First byte.</param>
/// <param name="End">One past the last byte, more than <paramref name="Start"/>.</param>
internal readonly record struct ByteRange(long Start, long End)
{
    public long Length => End - Start;
}
