namespace NzbDav.MockUsenet;

/// <summary>What an NZB says besides its files.</summary>
public sealed record NzbOptions
{
    /// <summary>The meta elements of the head, by type: title, password, category, tag. None = no head.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Meta { get; init; } = [];

    /// <summary>Put the segments of each file in a random order chosen by this seed; null = by number.</summary>
    public int? ShuffleSegments { get; init; }

    /// <summary>Put the files in a random order chosen by this seed; null = as given.</summary>
    public int? ShuffleFiles { get; init; }

    /// <summary>Leave out the segments for which this is false, as in an NZB made from an incomplete index.</summary>
    public Func<PostedSegment, bool>? Include { get; init; }
}
