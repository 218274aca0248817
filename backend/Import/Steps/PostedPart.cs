using NzbDav.Archives.Recovery;
using NzbDav.Content;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>A file of a post, as far as its articles tell where its bytes are.</summary>
/// <param name="Posted">What the .nzb lists.</param>
/// <param name="Name">What its articles call it; what the .nzb calls it where none is there.</param>
/// <param name="Map">Null when no article tells where the others lie.</param>
internal sealed record PostedPart(NzbFile Posted, string Name, ExtentMap? Map)
{
    /// <summary>Articles that no provider has, by their place in <see cref="Map"/>.</summary>
    public IReadOnlySet<int> Gone { get; init; } = new HashSet<int>();

    /// <summary>Its first bytes, as many as a packet of recovery data has before its body; empty where its first article is gone.</summary>
    public ReadOnlyMemory<byte> Head { get; init; }

    /// <summary>True for recovery data, by its first bytes or by a name.</summary>
    public bool IsRecovery => Recovery.IsPar2(Name) || Recovery.IsPar2(Posted.FileName) || FileSignature.Of(Head.Span).Type == FileType.Recovery;

    /// <summary>The same for files of one set of recovery data: its id, which stands in the head of each packet; where that is gone what their names have in common.</summary>
    public string SetKey => FileSignature.Of(Head.Span).Type == FileType.Recovery && Head.Length >= 48 ? Convert.ToHexString(Head.Span[32..48])
        : Recovery.StemOf(Recovery.IsPar2(Name) || !Recovery.IsPar2(Posted.FileName) ? Name : Posted.FileName!);

    /// <summary>Bytes of an article but the last where <see cref="Map"/> is null: what the post's other files have; 0 when that is not known either.</summary>
    public int UsualSize { get; init; }

    /// <summary>Bytes; −1 when not known.</summary>
    public long Length => Map?.Length ?? -1;

    /// <summary>The bytes of the articles that are gone.</summary>
    public IReadOnlyList<Hole> Holes => Map is null ? [] : [.. Gone.Order().Select(segment => new Hole(Map.Segments.Begin(segment), Map.Segments.Begin(segment) + Map.Segments.Size(segment)))];

    /// <summary>The same file of a length that is known now, where its articles do not tell: all of one size but the last. Null when they cannot be so.</summary>
    public PostedPart? OfLength(long length)
    {
        var last = Posted.Segments.Length - 1;
        var rest = length - ((long)UsualSize * last);
        if (Map is not null || UsualSize == 0 || rest < 1 || rest > UsualSize)
            return null;
        var table = new SegmentTable.Builder { PostedDay = Posted.PostedDay };
        for (var i = 0; i <= last; i++)
            table.Add(Posted.Segments[i].ArticleIds, (long)UsualSize * i, i == last ? (int)rest : UsualSize);
        return this with { Map = ExtentMap.OfWholeSegments(table.Build()) };
    }

    /// <summary>True when its first bytes, as many as recovery data take the hash of, are there.</summary>
    public bool HasHead => Map is not null && !Holes.Any(static hole => hole.Start < Par2File.HeadBytes);
}
