using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Content.Recording;

namespace NzbDav.Library.Recordings;

/// <summary>Writes the last minutes of streams as a recording. Thread-safe.</summary>
/// <param name="source">What it is made of.</param>
/// <param name="by">The version of NzbDav.</param>
public sealed class Recordings(RecordingSource source, string by)
{
    /// <summary>What streams did, and providers, in the last <see cref="Timeline.Span"/>.</summary>
    public Timeline Timeline => source.Timeline;

    /// <summary>Writes a recording.</summary>
    /// <param name="target">Gets it as text; stays open.</param>
    /// <param name="stream">Only this stream's requests, with all that providers did; null: all streams.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task WriteAsync(Stream target, long? stream, CancellationToken cancellationToken)
    {
        var entries = Take();
        var began = entries.Count == 0 ? source.Timeline.Now : entries[0].At;
        var writer = new RecordingWriter(target);
        writer.Begin(source.Timeline.TimeOf(began), by);
        await new RecordingSession(source, writer, began, stream).WriteAsync(entries, cancellationToken);
        writer.Complete();
    }

    /// <summary>True when a stream asked for something in the last minutes.</summary>
    public bool Knows(long stream) => Take().Exists(entry => entry.Kind == TimelineKind.Request
        ? entry.C == stream : entry.Kind == TimelineKind.Delivered && entry.Connection == stream);

    /// <summary>The articles of a file, by the hashes used in the time line.</summary>
    /// <param name="file">Its id in the tree.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<RecordedArticles> ArticlesOfAsync(long file, CancellationToken cancellationToken) =>
        RecordedArticles.ReadAsync(source.Tree, source.Maps, file, cancellationToken);

    /// <summary>What a provider is called.</summary>
    /// <param name="number">Its number in the time line.</param>
    /// <returns>Null: it is configured no more.</returns>
    public string? ProviderName(int number) =>
        source.Usenet.Providers.FirstOrDefault(provider => provider.Number == number)?.Options.DisplayName;

    /// <summary>The last minutes, oldest first.</summary>
    public List<TimelineEntry> Take()
    {
        long streams = 0, providers = 0;
        var entries = source.Timeline.Take(ref streams, ref providers);
        var first = source.Timeline.Before(source.Timeline.Now, Timeline.Span);
        entries.RemoveAll(entry => entry.At < first);
        return entries;
    }
}

/// <summary>Which articles hold a file's bytes, by the hashes that a <see cref="Timeline"/> has of them. Immutable.</summary>
/// <param name="Map">The file's map; null: it is not on Usenet.</param>
/// <param name="ByHash">Numbers of the segments in the order in which the file uses them, from 0.</param>
public sealed record RecordedArticles(ExtentMap? Map, IReadOnlyDictionary<ulong, int> ByHash)
{
    private static readonly RecordedArticles None = new(null, new Dictionary<ulong, int>());

    /// <summary>Of a file of the tree; one that is gone, or is a torrent's, has none.</summary>
    public static async ValueTask<RecordedArticles> ReadAsync(
        TreeStore tree, ExtentMapStore maps, long file, CancellationToken cancellationToken)
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
