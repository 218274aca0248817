using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Content.Recording;

namespace NzbDav.Library.Recordings;

/// <summary>Writes the last minutes of streams as a recording. Thread-safe.</summary>
/// <param name="source">The data that recordings are made from.</param>
/// <param name="by">The version of NzbDav.</param>
public sealed class Recordings(RecordingSource source, string by)
{
    /// <summary>The actions of streams and providers in the last <see cref="Timeline.Span"/>.</summary>
    public Timeline Timeline => source.Timeline;

    /// <summary>Writes a recording.</summary>
    /// <param name="target">Receives it as text; stays open.</param>
    /// <param name="stream">Only this stream's requests, with everything that providers did; null: all streams.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task WriteAsync(Stream target, long? stream, CancellationToken cancellationToken)
    {
        var entries = ReadRecent();
        var began = entries.Count == 0 ? source.Timeline.Now : entries[0].At;
        var writer = new RecordingWriter(target);
        writer.Begin(source.Timeline.TimeOf(began), by);
        await new RecordingSession(source, writer, began, stream).WriteAsync(entries, cancellationToken);
        writer.Complete();
    }

    /// <summary>True when a stream requested something in the last minutes.</summary>
    public bool HasStream(long stream) => ReadRecent().Exists(entry => entry.Kind == TimelineKind.Request
        ? entry.C == stream : entry.Kind == TimelineKind.Delivered && entry.Connection == stream);

    /// <summary>The articles of a file, by the hashes used in the timeline.</summary>
    /// <param name="file">Its id in the tree.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<RecordedArticles> ArticlesOfAsync(long file, CancellationToken cancellationToken) =>
        RecordedArticles.ReadAsync(source.Tree, source.Maps, file, cancellationToken);

    /// <summary>Name of a provider.</summary>
    /// <param name="number">Its number in the timeline.</param>
    /// <returns>Null if it is no longer configured.</returns>
    public string? ProviderName(int number) =>
        source.Usenet.Providers.FirstOrDefault(provider => provider.Number == number)?.Options.DisplayName;

    /// <summary>The entries of the last minutes, oldest first.</summary>
    public List<TimelineEntry> ReadRecent()
    {
        long streams = 0, providers = 0;
        var entries = source.Timeline.ReadSince(ref streams, ref providers);
        var first = source.Timeline.Before(source.Timeline.Now, Timeline.Span);
        entries.RemoveAll(entry => entry.At < first);
        return entries;
    }
}

/// <summary>The articles that hold a file's bytes, by their hashes in a <see cref="Timeline"/>. Immutable.</summary>
/// <param name="Map">The file's map; null: it is not on Usenet.</param>
/// <param name="ByHash">Numbers of the articles in the order in which the file uses them, from 0.</param>
public sealed record RecordedArticles(ExtentMap? Map, IReadOnlyDictionary<ulong, int> ByHash)
{
    private static readonly RecordedArticles None = new(null, new Dictionary<ulong, int>());

    /// <summary>The articles of a file of the tree. None for a file that is gone or belongs to a torrent.</summary>
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

    /// <summary>The articles of a map.</summary>
    public static RecordedArticles Of(ExtentMap map)
    {
        ArgumentNullException.ThrowIfNull(map);
        var numbers = new Dictionary<ulong, int>(map.Segments.Count);
        foreach (ref readonly var extent in map.Extents)
            numbers.TryAdd(Timeline.HashOf(map.Segments.IdUtf8(extent.Segment)), numbers.Count);
        return new RecordedArticles(map, numbers);
    }
}
