using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Library.Health;

/// <summary>The articles of all posted files of a post, numbered from 0 in the order of the files' ids. Immutable.</summary>
internal sealed class PostArticles
{
    private readonly (long FileId, SegmentTable Segments, int First)[] _files;

    private PostArticles((long FileId, SegmentTable Segments, int First)[] files, int count) => (_files, Count) = (files, count);

    /// <summary>Number of articles.</summary>
    public int Count { get; }

    /// <exception cref="CatalogException">A map cannot be read.</exception>
    public static async Task<PostArticles> ReadAsync(
        IReadOnlyList<CatalogItem> files, ExtentMapStore maps, CancellationToken cancellationToken)
    {
        var read = new List<(long, SegmentTable, int)>(files.Count);
        var count = 0;
        foreach (var file in files.OrderBy(file => file.Id))
        {
            var segments = (await maps.ReadAsync(file.ExtentMap!.Value, cancellationToken)).Map.Segments;
            read.Add((file.Id, segments, count));
            count += segments.Count;
        }

        return new PostArticles([.. read], count);
    }

    /// <summary>An article and its file; null: the .nzb does not list the article, so no account can be asked for it.</summary>
    public (string Article, long FileId)? At(int number)
    {
        var file = _files.Length - 1;
        while (_files[file].First > number)
            file--;
        var id = _files[file].Segments.Id(number - _files[file].First);
        return ArticleIds.IsUnlisted(id) ? null : (id, _files[file].FileId);
    }
}
