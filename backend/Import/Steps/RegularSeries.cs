using NzbDav.Archives.Volumes;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>
/// A set of volumes that looks regular in the .nzb: one stem, numbers in a row, as many articles of the same encoded sizes in each volume but the last. Only its first two and its last
/// volume are looked at; what the others are follows from these, and is checked when they are read.
/// </summary>
/// <remarks>
/// Names in subjects are what poster and downloader agree on, so numbers that run without a gap are taken for the order, however much noise the stem is. Where the names
/// are noise without numbers nothing tells the order but the volumes' headers, and nothing their names but the hashes of their first bytes in recovery data: then every first article is
/// needed. Where subject and yEnc header of a looked-at volume call it differently, one of them is made up, and all volumes are looked at too.
/// </remarks>
internal sealed class RegularSeries
{
    /// <summary>Looked at, from the beginning: the first volume has headers of its own, the second those that all others have.</summary>
    private const int Front = 2;

    private readonly IReadOnlyList<int> _members;

    private RegularSeries(IReadOnlyList<int> members) => _members = members;

    /// <summary>Places in the post's list of the volumes that are left out, in the set's order.</summary>
    public IEnumerable<int> Middle => _members.Skip(Front).SkipLast(1);

    /// <summary>Places of all volumes, in the set's order.</summary>
    public IReadOnlyList<int> Members => _members;

    /// <summary>The sets of a post.</summary>
    public static IReadOnlyList<RegularSeries> Find(IReadOnlyList<NzbFile> posted) =>
    [
        .. VolumeSeries.Find([.. posted.Select(file => file.FileName ?? "")])
            .Where(set => set.Skip(1).SkipLast(1).All(index => IsAlike(posted[set[0]], posted[index])) && posted[set[^1]].Segments.Length <= posted[set[0]].Segments.Length)
            .Select(set => new RegularSeries(set)),
    ];

    /// <summary>The files in the middle by what the others told; null when those are not regular after all.</summary>
    /// <param name="posted">The post.</param>
    /// <param name="files">What was looked at, at the same places.</param>
    public IReadOnlyList<ProbedFile>? Reckon(IReadOnlyList<NzbFile> posted, ProbedFile?[] files)
    {
        if (files[_members[0]] is not { } first || files[_members[1]] is not { } second || files[_members[^1]] is not { } last)
            return null;
        if (!IsAsPosted(first) || !IsAsPosted(second) || !IsAsPosted(last))
            return null;
        var (header, articles) = (first.Header, first.Posted.Segments.Length);
        if (RegularPost.LastSize(header, articles) is not { } lastSize || second.Header.FileSize != header.FileSize || second.Header.PartSize != header.PartSize
            || last.Length > first.Length || (last.Posted.Segments.Length > 1 && last.Header.PartSize != header.PartSize))
            return null;
        return
        [
            .. Middle.Select(index =>
            {
                var file = posted[index];
                var told = new ArticleHeader(file.FileName!, header.FileSize, 1, articles, 0, header.PartSize);
                return new ProbedFile(file, told, RegularPost.Map(file, header.PartSize, lastSize)) { Verified = false, IsReckoned = true };
            }),
        ];
    }

    /// <summary>The subject and the article call it the same, and its articles are where a regular post has them.</summary>
    private static bool IsAsPosted(ProbedFile file) =>
        string.Equals(file.Header.Name, file.Posted.FileName, StringComparison.Ordinal) && file.Header.Begin == 0 && file.Header.FileSize == file.Length
        && file.Map.Segments.Size(0) == file.Header.PartSize;

    private static bool IsAlike(NzbFile first, NzbFile other)
    {
        var (a, b) = (first.Segments, other.Segments);
        if (a.Length != b.Length)
            return false;
        for (var i = 0; i < a.Length; i++)
        {
            if (b[i].Number != i + 1 || !RegularPost.IsAbout(b[i].Bytes, a[i].Bytes))
                return false;
        }

        return true;
    }
}
