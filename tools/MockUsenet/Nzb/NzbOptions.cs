using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Nzb;

/// <summary>The content of an NZB besides its files.</summary>
public sealed record NzbOptions
{
    /// <summary>The meta elements of the head, by type: title, password, category, tag. None = no head.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Meta { get; init; } = [];

    /// <summary>Put the segments of each file in a random order chosen by this seed; null = by number.</summary>
    public int? ShuffleSegments { get; init; }

    /// <summary>Put the files in a random order chosen by this seed; null = as given.</summary>
    public int? ShuffleFiles { get; init; }

    /// <summary>The number under which a segment is listed; null: its own.</summary>
    public Func<PostedSegment, int>? Number { get; init; }

    /// <summary>Leaves out the segments for which this returns false, as in an NZB made from an incomplete index.</summary>
    public Func<PostedSegment, bool>? Include { get; init; }

    /// <summary>Further articles listed under a segment's number, as in a post that was repaired by posting missing articles again.</summary>
    public Func<PostedSegment, IEnumerable<PostedSegment>>? Copies { get; init; }

    /// <summary>Writes each segment in a <c>file</c> element of its own, with the subject of its article, as search engines do that do not collect parts.</summary>
    public bool FilePerSegment { get; init; }
}
