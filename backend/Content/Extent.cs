namespace NzbDav.Content;

/// <summary>A run of a file's bytes inside one segment.</summary>
/// <param name="Start">Offset in the file of the run's first byte.</param>
/// <param name="Segment">Index into the map's segment table.</param>
/// <param name="Offset">Offset in the decoded segment of the run's first byte.</param>
/// <param name="Length">Bytes in the run, at least 1.</param>
public readonly record struct Extent(long Start, int Segment, int Offset, int Length)
{
    /// <summary>Offset in the file one past the run's last byte.</summary>
    public long End => Start + Length;
}
