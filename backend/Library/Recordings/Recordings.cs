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
    public bool Knows(long stream) => Take().Exists(entry => entry.Kind == TimelineKind.Request ? entry.C == stream : entry.Kind == TimelineKind.Delivered && entry.Connection == stream);

    /// <summary>The articles of a file, by the hashes used in the time line.</summary>
    /// <param name="file">Its id in the tree.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<RecordedArticles> ArticlesOfAsync(long file, CancellationToken cancellationToken) => RecordedArticles.ReadAsync(source.Tree, source.Maps, file, cancellationToken);

    /// <summary>What a provider is called.</summary>
    /// <param name="number">Its number in the time line.</param>
    /// <returns>Null: it is configured no more.</returns>
    public string? ProviderName(int number) => source.Usenet.Providers.FirstOrDefault(provider => provider.Number == number)?.Options.DisplayName;

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
