namespace NzbDav.Content;

/// <summary>Gets a reader the map that its source says is right, and checks that bytes lent under the old map are the same under the new
/// one. Thread-safe.</summary>
/// <param name="source">The file.</param>
/// <param name="start">First byte that the reader was opened for.</param>
/// <param name="end">One past the last.</param>
internal sealed class MapRepair(ISegmentSource source, long start, long end)
{
    /// <summary>Gets a map in which a segment has the place that its own header says.</summary>
    /// <param name="map">The map that has it elsewhere.</param>
    /// <param name="segment">Its index.</param>
    /// <param name="flight">The segment as it arrived.</param>
    /// <param name="cancellationToken">Fires when nobody reads any more.</param>
    /// <returns>Null when there is none, or the file would end too early.</returns>
    public async ValueTask<ExtentMap?> CorrectAsync(
        ExtentMap map, int segment, SegmentFlight flight, CancellationToken cancellationToken) =>
        await source.CorrectAsync(map, segment, flight, cancellationToken) is { } right && right.Length >= end ? right : null;

    /// <summary>Asks the source to confirm a segment's place.</summary>
    /// <param name="map">The map with the calculated place.</param>
    /// <param name="segment">Its index.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="position">Everything before it was lent.</param>
    /// <param name="partial">The segment that was partly lent; null: none.</param>
    /// <param name="generation">Generation of the bytes lent from it.</param>
    /// <param name="cancellationToken">Fires when nobody reads any more.</param>
    /// <returns>The right map; <paramref name="map"/> when it is right.</returns>
    /// <exception cref="ContentException">The bytes already lent differ from the right map's.</exception>
    public async ValueTask<ExtentMap> ProveAsync(ExtentMap map, int segment, FetchPriority priority, long position, SegmentFlight? partial,
        int generation, CancellationToken cancellationToken)
    {
        var right = await source.ProveAsync(map, segment, priority, cancellationToken);
        if (right == map)
            return map;

        // Bytes lent under the old map must be the same under the new one, and verified, as the rest of the segment may come from another
        // flight.
        if (partial is not null)
            await partial.WhenEnded().WaitAsync(cancellationToken);
        var isLentRight = partial is null || (partial.Outcome == SegmentOutcome.Found && partial.Generation == generation);
        return isLentRight && right.Length >= end && right.AgreesWith(map, start, position)
            ? right
            : throw new ContentException(
                ContentFault.Corrupt, "The file's layout turned out to be different after part of it had already been sent.");
    }
}
