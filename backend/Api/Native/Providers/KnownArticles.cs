using NzbDav.Catalog;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Api.Native.Providers;

/// <summary>Articles that the library is made of, for measuring how fast a provider brings them.</summary>
internal sealed class KnownArticles(TreeStore tree, ExtentMapStore maps)
{
    /// <summary>Files to take them from: one may have gone from the provider.</summary>
    private const int MostFiles = 3;

    /// <summary>Message-ids of the biggest of the files that were published last, in runs of each; none if no post is there.</summary>
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

                // From the middle: heads are often in memory at the provider, tails are short.
                var wanted = (most - ids.Count) / (files.Count - index);
                var first = Math.Max(0, (segments.Count - wanted) / 2);
                for (var i = first; i < Math.Min(segments.Count, first + wanted); i++)
                    ids.AddRange(ArticleIds.Split(segments.Id(i)).Take(1));
            }
            catch (CatalogException)
            {
                // Its map is damaged; the others do as well.
            }
        }

        return ids;
    }
}
