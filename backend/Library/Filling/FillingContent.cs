using Microsoft.Extensions.Logging;
using NzbDav.Catalog;
using NzbDav.Content;

namespace NzbDav.Library.Filling;

/// <summary>
/// A posted file whose players go on behind bytes that are gone, with filler in their place, where its container survives that and the user chose so. Only for those who play or look at it:
/// what copies, imports, pins or checks the file ends at the hole. Of an encrypted file it is the plain bytes that are filled. Thread-safe.
/// </summary>
/// <param name="plain">The file, decrypted. Its readers tell of what is gone by <see cref="ContentException.Lost"/>.</param>
/// <param name="known">The same, with what of it is on the disk: where its container is read from.</param>
/// <param name="item">The file's row.</param>
/// <param name="fills">True while the user wants it.</param>
/// <param name="logger">Told of each hole that is filled, once.</param>
internal sealed partial class FillingContent(IContent plain, IContent known, CatalogItem item, Func<bool> fills, ILogger logger) : IContent
{
    /// <summary>Holes of which the log was told.</summary>
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

    /// <summary>How the file may be filled; null when it cannot be told, as its head is gone too.</summary>
    internal async ValueTask<FillerPlan?> PlanAsync(CancellationToken cancellationToken)
    {
        try
        {
            // Two may find out at once: both come to the same.
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
