using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Api.Native.Providers;

/// <summary>Finds articles of the library, with which to measure a provider's speed.</summary>
internal sealed class KnownArticles(TreeStore tree, ExtentMapStore maps)
{
    /// <summary>Number of files to take them from: the provider may no longer have one of them.</summary>
    private const int MostFiles = 3;

    /// <summary>
    /// Message-ids from the largest of the recently published files, in a run from each file; none if the library has no posts.
    /// </summary>
    public async Task<IReadOnlyList<string>> FindAsync(int most, CancellationToken cancellationToken)
    {
        var files = await tree.ListRecentFilesAsync(MostFiles, cancellationToken);
        var ids = new List<string>();
        foreach (var (index, file) in files.Index())
        {
            try
            {
                var stored = await maps.ReadAsync(file.ExtentMap!.Value, cancellationToken);
                var segments = stored.Map.Segments;

                // From the middle: providers often hold the heads of files in memory, and tails are short.
                var wanted = (most - ids.Count) / (files.Count - index);
                var first = Math.Max(0, (segments.Count - wanted) / 2);
                for (var i = first; i < Math.Min(segments.Count, first + wanted); i++)
                    ids.AddRange(ArticleIds.Split(segments.Id(i)).Take(1));
            }
            catch (CatalogException)
            {
                // Its map is damaged. Use the other files.
            }
        }

        return ids;
    }
}
