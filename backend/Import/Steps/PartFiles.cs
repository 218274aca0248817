using System.Collections.Concurrent;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>
/// Collects files of the .nzb that hold one part each of the same file, as their articles say (<c>=ybegin part=3 total=40</c>), where the subjects did not tell. Thread-safe while it collects.
/// </summary>
internal sealed class PartFiles
{
    private readonly ConcurrentBag<(int Index, NzbFile File, ArticleHeader Header, ImportFailure Failure)> _parts = [];

    /// <param name="index">The file's place in the post.</param>
    /// <param name="file">Of one article.</param>
    /// <param name="header">The article's.</param>
    /// <param name="failure">What is wrong with it by itself.</param>
    public void Add(int index, NzbFile file, ArticleHeader header, ImportFailure failure) => _parts.Add((index, file, header, failure));

    /// <summary>The files that the parts make, each at the place of its first part. Parts that make none come with their failure.</summary>
    public IEnumerable<(int Index, NzbFile? Joined, ImportFailure Failure)> Join()
    {
        foreach (var group in _parts.GroupBy(part => (part.Header.Name, part.Header.FileSize, part.Header.TotalParts)))
        {
            // Where a number comes twice, nothing tells which part is of which file.
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
