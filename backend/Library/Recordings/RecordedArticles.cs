using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Content.Recording;

namespace NzbDav.Library.Recordings;

/// <summary>Which articles hold a file's bytes, by the hashes that a <see cref="Timeline"/> has of them. Immutable.</summary>
/// <param name="Map">The file's map; null: it is not on Usenet.</param>
/// <param name="ByHash">Numbers of the segments in the order in which the file uses them, from 0.</param>
public sealed record RecordedArticles(ExtentMap? Map, IReadOnlyDictionary<ulong, int> ByHash)
{
    private static readonly RecordedArticles None = new(null, new Dictionary<ulong, int>());

    /// <summary>Of a file of the tree; one that is gone, or is a torrent's, has none.</summary>
    public static async ValueTask<RecordedArticles> ReadAsync(TreeStore tree, ExtentMapStore maps, long file, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(tree);
        ArgumentNullException.ThrowIfNull(maps);
        try
        {
            if (await tree.ResolveAsync(file, cancellationToken) is not { ExtentMap: { } hash, Torrent: null })
                return None;
            return Of((await maps.ReadAsync(hash, cancellationToken)).Map);
        }
        catch (CatalogException)
        {
            // The file is recorded all the same, without its articles.
            return None;
        }
    }

    /// <summary>Of a map.</summary>
    public static RecordedArticles Of(ExtentMap map)
    {
        ArgumentNullException.ThrowIfNull(map);
        var numbers = new Dictionary<ulong, int>(map.Segments.Count);
        foreach (ref readonly var extent in map.Extents)
            numbers.TryAdd(Timeline.HashOf(map.Segments.IdUtf8(extent.Segment)), numbers.Count);
        return new RecordedArticles(map, numbers);
    }
}
