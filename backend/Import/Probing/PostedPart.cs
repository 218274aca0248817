using NzbDav.Archives.Recovery;
using NzbDav.Content;
using NzbDav.Import.Names;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Probing;

/// <summary>A file of a post, with its layout as far as its articles show it.</summary>
/// <param name="Posted">The file as the .nzb lists it; the first one if it was posted more than once.</param>
/// <param name="Name">Name in its articles, or in the .nzb if none of the probed ones is available.</param>
/// <param name="Map">Where its bytes are, with the ids of all copies; null if no article shows that.</param>
internal sealed record PostedPart(NzbFile Posted, string Name, ExtentMap? Map)
{
    /// <summary>Articles that no provider has, or that no provider delivered intact, by their index in <see cref="Map"/>.</summary>
    public IReadOnlySet<int> Gone { get; init; } = new HashSet<int>();

    /// <summary>
    /// The posted files that were merged into this one, if it was posted more than once (<see cref="PostedTwice"/>); otherwise none.
    /// </summary>
    public IReadOnlyList<NzbFile> Merged { get; init; } = [];

    /// <summary>Its first bytes, up to the length of a recovery packet's header; empty if its first article is gone.</summary>
    public ReadOnlyMemory<byte> Head { get; init; }

    /// <summary>True for recovery data, by its first bytes or by a name.</summary>
    public bool IsRecovery =>
        RecoveryFiles.IsPar2(Name) || RecoveryFiles.IsPar2(Posted.FileName) || FileSignature.Of(Head.Span).Type == FileType.Recovery;

    /// <summary>
    /// Key that the files of one recovery set share: the set's id, from the header of a packet, or else the stem of their names.
    /// </summary>
    public string SetKey =>
        FileSignature.Of(Head.Span).Type == FileType.Recovery && Head.Length >= 48 ? Convert.ToHexString(Head.Span[32..48])
        : RecoveryFiles.StemOf(RecoveryFiles.IsPar2(Name) || !RecoveryFiles.IsPar2(Posted.FileName) ? Name : Posted.FileName!);

    /// <summary>
    /// If <see cref="Map"/> is null: assumed bytes of each article except the last, as in the post's other files; 0 if unknown.
    /// </summary>
    public int UsualSize { get; init; }

    /// <summary>Length in bytes; −1 if unknown.</summary>
    public long Length => Map?.Length ?? -1;

    /// <summary>The ids of an article, as a published map has them.</summary>
    public string IdsOf(int segment) => Map?.Segments.Id(segment) ?? Posted.Segments[segment].ArticleIds;

    /// <summary>The fetch key of an article. Matches its copies, at any offset in the file.</summary>
    public SegmentKey KeyOf(int segment) =>
        SegmentKey.Unknown(IdsOf(segment)) with { PostedDay = Map?.Segments.PostedDay ?? Posted.PostedDay };

    /// <summary>The byte ranges of the articles that are gone.</summary>
    public IReadOnlyList<ByteSpan> Holes => Map is null ? [] : [
        .. Gone.Order().Select(segment => ByteSpan.OfLength(Map.Segments.Begin(segment), Map.Segments.Size(segment)))];

    /// <summary>
    /// The file with a layout for a length that has become known, if its articles did not show one: all articles have
    /// <see cref="UsualSize"/> except the last. Null if the length does not fit that.
    /// </summary>
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

    /// <summary>True unless some of the first bytes that recovery data hash are known to be gone.</summary>
    public bool HasHead => Map is not null && !Holes.Any(static hole => hole.Start < Par2File.HeadBytes);
}
