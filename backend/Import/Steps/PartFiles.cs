using System.Collections.Concurrent;
using NzbDav.Import.Progress;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Steps;

/// <summary>
/// Collects files of the .nzb that are each one part of the same file according to their articles (<c>=ybegin part=3 total=40</c>), although their subjects did
/// not show it. Thread-safe while it collects.
/// </summary>
internal sealed class PartFiles
{
    private readonly ConcurrentBag<(int Index, NzbFile File, ArticleHeader Header, ImportFailure Failure)> _parts = [];

    /// <param name="index">The file's index in the post.</param>
    /// <param name="file">The file, which has one article.</param>
    /// <param name="header">The header of that article.</param>
    /// <param name="failure">The failure of the file if it cannot be joined with others.</param>
    public void Add(int index, NzbFile file, ArticleHeader header, ImportFailure failure) => _parts.Add((index, file, header, failure));

    /// <summary>Joins the parts into files, each at the index of its first part. Parts that cannot be joined are returned with their failure.</summary>
    public IEnumerable<(int Index, NzbFile? Joined, ImportFailure Failure)> Join()
    {
        foreach (var group in _parts.GroupBy(part => (part.Header.Name, part.Header.FileSize, part.Header.TotalParts)))
        {
            // If a part number occurs twice, it is unknown which part belongs to which file.
            var parts = group.OrderBy(part => part.Index).ToArray();
            if (parts.Length > 1 && parts.DistinctBy(part => part.Header.Part).Count() == parts.Length)
            {
                yield return (parts[0].Index, NzbFile.OfParts(parts.Select(part => (part.Header.Part, part.File))), parts[0].Failure);
            }
            else
            {
                foreach (var part in parts)
                    yield return (part.Index, null, part.Failure);
            }
        }
    }
}
