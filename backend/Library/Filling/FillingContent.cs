using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Tree;
using NzbDav.Content;

namespace NzbDav.Library.Filling;

/// <summary>
/// A posted file in which players read filler in place of lost bytes, where its container survives that and the user chose so. Only for playback and probes:
/// copies, imports, pins and checks end at the hole. In an encrypted file the decrypted bytes are filled. Thread-safe.
/// </summary>
/// <param name="plain">The file, decrypted. Its readers report lost bytes in <see cref="ContentException.Lost"/>.</param>
/// <param name="known">The same file, including bytes kept on the disk; its container is read from here.</param>
/// <param name="item">The file's row.</param>
/// <param name="fills">True while the user wants it.</param>
/// <param name="logger">Logs each filled hole once.</param>
internal sealed partial class FillingContent(IContent plain, IContent known, CatalogItem item, Func<bool> fills, ILogger logger) : IContent
{
    /// <summary>The most holes remembered as logged.</summary>
    private const int MostTold = 4_096;

    private readonly Lock _gate = new();
    private readonly HashSet<long> _told = [];
    private FillerPlan? _plan;

    public long Length => plain.Length;

    /// <summary>The file, decrypted.</summary>
    internal IContent Plain => plain;

    public ContentReader OpenReader(long start, long end, ReadIntent intent) =>
        intent is ReadIntent.Playback or ReadIntent.Probe && fills() ? new FillingReader(this, start, end, intent) : plain.OpenReader(start, end, intent);

    /// <summary>The bytes of the file that are lost with those of the post; null: none.</summary>
    internal FilledRange? RangeOf(LostRange lost) => FilledRange.Of(lost, item.Encryption) is { } range && range.End <= Length ? range : null;

    /// <summary>How the file may be filled; null if unknown because its head is lost too.</summary>
    internal async ValueTask<FillerPlan?> PlanAsync(CancellationToken cancellationToken)
    {
        try
        {
            // Concurrent callers may compute it twice with the same result.
            return Volatile.Read(ref _plan) ?? (_plan = await FillerPlan.ReadAsync(known, cancellationToken));
        }
        catch (ContentException)
        {
            return null;
        }
    }

    /// <summary>A reader goes on with filler.</summary>
    internal void Tell(FilledRange range, int segment, string reason)
    {
        lock (_gate)
        {
            if (_told.Count >= MostTold || !_told.Add(range.Start))
                return;
        }

        LogFilled(logger, item.Name, range.Start, range.End - 1, segment + 1, reason);
    }

    [LoggerMessage(303, LogLevel.Warning, "Bytes {First}-{Last} of {File} are replaced by filler for whoever plays it, as article {Article} cannot be had: {Reason}")]
    private static partial void LogFilled(ILogger logger, string file, long first, long last, int article, string reason);
}
