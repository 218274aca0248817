using System.Collections.Concurrent;
using NzbDav.Import.Progress;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Probing;

/// <summary>
/// Collects files of the .nzb that are single parts of one file according to their articles (<c>=ybegin part=3 total=40</c>), although
/// their subjects did not show it. Thread-safe while it collects.
/// </summary>
internal sealed class PartFiles
{
    private readonly ConcurrentBag<(int Index, NzbFile File, ArticleHeader Header, ImportFailure Failure)> _parts = [];

    /// <param name="index">The file's index in the post.</param>
    /// <param name="file">The file, which has one article.</param>
    /// <param name="header">The header of that article.</param>
    /// <param name="failure">The failure of the file if it cannot be joined with others.</param>
    public void Add(int index, NzbFile file, ArticleHeader header, ImportFailure failure) => _parts.Add((index, file, header, failure));

    /// <summary>
    /// Joins the parts into files, each at the index of its first part. A part that belongs to no other and whose total is made up is a
    /// whole file. Other parts that cannot be joined are returned with their failure.
    /// </summary>
    public IEnumerable<(int Index, NzbFile? Joined, ImportFailure Failure)> Join()
    {
        var alone = new List<(int Index, NzbFile File, ArticleHeader Header, ImportFailure Failure)>();
        foreach (var group in _parts.GroupBy(part => (part.Header.Name, part.Header.FileSize, part.Header.TotalParts)))
        {
            if (Joined([.. group]) is { } joined)
                yield return joined;
            else
                alone.AddRange(group);
        }

        // Made-up sizes and totals differ from part to part. Some parts do not show that theirs are made up.
        foreach (var group in alone.GroupBy(part => part.Header.Name))
        {
            if (group.Any(part => part.Header.HasFakeTotals) && Joined([.. group]) is { } joined)
            {
                yield return joined;
                continue;
            }

            foreach (var part in group)
                yield return (part.Index, part.Header is { Begin: 0, HasFakeTotals: true } ? part.File : null, part.Failure);
        }
    }

    /// <summary>Null for a single part, and if a part number occurs twice: then it is unknown which part belongs to which file.</summary>
    private static (int Index, NzbFile? Joined, ImportFailure Failure)? Joined(
        (int Index, NzbFile File, ArticleHeader Header, ImportFailure Failure)[] parts)
    {
        if (parts.Length < 2 || parts.DistinctBy(part => part.Header.Part).Count() < parts.Length)
            return null;
        var first = parts.MinBy(part => part.Index);
        var joined = NzbFile.OfParts(parts.OrderBy(part => part.Index).Select(part => (part.Header.Part, part.File)));
        return (first.Index, joined, first.Failure);
    }
}
