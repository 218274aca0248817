using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Nzb;

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

    /// <summary>Articles that are listed once more under a segment's number, as of a post that was repaired by posting what had not come through again.</summary>
    public Func<PostedSegment, IEnumerable<PostedSegment>>? Copies { get; init; }

    /// <summary>Each segment in a <c>file</c> element of its own, with the subject of its article, as search engines that do not collect parts write them.</summary>
    public bool FilePerSegment { get; init; }
}
