namespace NzbDav.Content;

/// <summary>
/// Gets the corrected map for a reader, and checks that bytes lent under the old map are the same under the new one. Thread-safe.
/// </summary>
/// <param name="source">The file.</param>
/// <param name="start">First byte that the reader was opened for.</param>
/// <param name="end">One past the last byte.</param>
internal sealed class MapRepair(ISegmentSource source, long start, long end)
{
    /// <summary>Gets a map in which a segment has the offset and size that its own header states.</summary>
    /// <param name="map">The map that has another offset or size for it.</param>
    /// <param name="segment">Its index.</param>
    /// <param name="flight">The segment as it arrived.</param>
    /// <param name="cancellationToken">Fires when nobody reads any more.</param>
    /// <returns>Null when there is none, or when the file would end before the reader's range does.</returns>
    public async ValueTask<ExtentMap?> CorrectAsync(
        ExtentMap map, int segment, SegmentFlight flight, CancellationToken cancellationToken) =>
        await source.CorrectAsync(map, segment, flight, cancellationToken) is { } right && right.Length >= end ? right : null;

    /// <summary>Asks the source to confirm a segment's place.</summary>
    /// <param name="map">The map with the inferred place.</param>
    /// <param name="segment">Its index.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="position">Offset in the file up to which bytes were lent.</param>
    /// <param name="partial">The segment that was partly lent; null: none.</param>
    /// <param name="generation">Generation of the bytes lent from <paramref name="partial"/>.</param>
    /// <param name="cancellationToken">Fires when nobody reads any more.</param>
    /// <returns>The right map: <paramref name="map"/> itself if it is right.</returns>
    /// <exception cref="ContentException">Bytes already lent differ from those of the right map.</exception>
    public async ValueTask<ExtentMap> ProveAsync(ExtentMap map, int segment, FetchPriority priority, long position, SegmentFlight? partial,
        int generation, CancellationToken cancellationToken)
    {
        var right = await source.ProveAsync(map, segment, priority, cancellationToken);
        if (right == map)
            return map;

        // Bytes lent under the old map must be the same under the new one. They must also be verified, as the rest of the segment may come
        // from another flight.
        if (partial is not null)
            await partial.WhenEnded().WaitAsync(cancellationToken);
        var isLentRight = partial is null || (partial.IsFound && partial.Generation == generation);
        return isLentRight && right.Length >= end && right.AgreesWith(map, start, position)
            ? right
            : throw new ContentException(
                ContentFault.Corrupt, "The file's layout turned out to be different after part of it had already been sent.");
    }
}
