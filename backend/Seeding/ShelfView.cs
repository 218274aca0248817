using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Torrents;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Seeding;

/// <summary>Builds the public view of a torrent.</summary>
internal static class ShelfView
{
    /// <summary>Beginning of the error of a torrent whose kept files are gone or cannot be reached.</summary>
    public const string Missing = "Kept files are missing";

    /// <summary>Beginning of the error of a torrent that waits for disk space.</summary>
    public const string Full = "The disk is full";

    /// <summary>Combines everything known about a torrent.</summary>
    /// <param name="slot">The catalog's data.</param>
    /// <param name="options">Policies.</param>
    /// <param name="open">The open torrent; null if it is not in its swarm.</param>
    /// <param name="run">Its current activity.</param>
    public static ShelfTorrent Of(ShelfSlot slot, SeedingOptions options, Torrent? open, TorrentRun run)
    {
        var (entry, source, facts) = (slot.Entry, slot.Source, slot.Facts);
        var policy = options.PolicyOf(slot);
        var activity = open?.Activity ?? TorrentActivity.None;
        var counts = open?.Counts ?? SwarmCounts.Unknown;
        var isReady = entry.Ready is not null || (!options.WaitForCopy && source.ItemId is not null);
        var isDone = policy.Keep ? entry.Completed is not null : isReady;
        var size = facts?.Size ?? source.Size;
        var wanted = facts is null ? size : facts.Files.Index()
            .Where(file => !file.Item.IsPadding && entry.PriorityOf(file.Index) != FilePriority.Skip).Sum(static file => file.Item.Length);
        var held = isDone && policy.Keep
            ? wanted : Math.Min(run.Held ?? Math.Min(size, (long)activity.Have * (facts?.PieceLength ?? 0)), size);
        var progress = isDone ? 1 : wanted == 0 ? 0 : Math.Min(1, (double)Math.Min(held, wanted) / wanted);
        var (state, reason) = StateOf(slot, activity, run, isDone);
        return new ShelfTorrent
        {
            Entry = entry,
            Name = entry.Name ?? facts?.Name ?? source.JobName ?? entry.Hash,
            State = state,
            IsReady = isReady,
            IsDescribed = facts is not null,
            IsPrivate = facts is { IsPrivate: true },
            Origin = facts?.Origin ?? TorrentOrigin.None,
            Policy = policy,
            Totals = run.Totals ?? entry.Totals,
            Ratio = RatioOf(run.Totals ?? entry.Totals, held),
            Size = size,
            Wanted = wanted,
            Held = held,
            Progress = progress,
            DownRate = activity.DownRate,
            UpRate = activity.UpRate,
            Seeds = activity.Seeds,
            Leechers = activity.Peers - activity.Seeds,
            KnownSeeds = counts.Seeds,
            KnownLeechers = counts.Leechers,
            Tracker = counts.Tracker,
            Availability = activity.Copies,
            Eta = isDone || activity.DownRate < 1
                ? null : TimeSpan.FromSeconds(Math.Ceiling(Math.Max(0, wanted - held) / activity.DownRate)),
            PieceLength = facts?.PieceLength ?? 0,
            Pieces = facts?.Pieces ?? 0,
            PiecesHeld = open is not null || facts is null ? activity.Have : (int)((held + facts.PieceLength - 1) / facts.PieceLength),
            ContentPath = slot.Path,
            IsSingleFile = facts is not null && facts.Files.Count(static file => !file.IsPadding) == 1,
            JobId = source.JobId,
            ItemId = source.ItemId,
            Reason = reason,
            ImportFailure = source is { Job: JobState.Failed, ItemId: null } ? source.FailureCode : null,
        };
    }

    /// <summary>
    /// Share ratio: uploaded by downloaded bytes. If less than 1 % of the held bytes were downloaded, the data came from elsewhere and the
    /// held bytes count instead.
    /// </summary>
    public static double RatioOf(TorrentTotals totals, long held)
    {
        var downloaded = totals.Downloaded < held / 100 ? held : totals.Downloaded;
        return downloaded > 0 ? (double)totals.Uploaded / downloaded : 0;
    }

    private static (TorrentState State, string? Reason) StateOf(ShelfSlot slot, TorrentActivity activity, TorrentRun run, bool isDone)
    {
        if (slot.Source is { Job: JobState.Failed, ItemId: null, Failure: var failure })
            return (TorrentState.Failed, failure);
        if (run.Phase is TorrentPhase.Checking)
            return (TorrentState.Checking, null);
        if (slot.Entry.Error is { } error)
            return (error.StartsWith(Missing, StringComparison.Ordinal) ? TorrentState.Missing : TorrentState.Failed, error);
        if (slot.Entry.IsStopped)
            return (isDone ? TorrentState.SeedStopped : TorrentState.DownloadStopped, null);
        if (slot.Facts is null)
            return (TorrentState.Metadata, activity.Reason ?? slot.Source.Failure);
        if (run.Phase is TorrentPhase.Moving)
            return (TorrentState.Moving, null);
        if (run.WaitsFor is { } room && !isDone)
            return (activity.DownRate > 0 ? TorrentState.Downloading : TorrentState.DownloadStalled, room);
        if (run.Phase is TorrentPhase.Queued)
            return (isDone ? TorrentState.SeedQueued : TorrentState.DownloadQueued, null);
        if (isDone)
            return (activity.UpRate > 0 ? TorrentState.Seeding : TorrentState.SeedIdle, activity.Reason);
        return activity.DownRate > 0 ? (TorrentState.Downloading, null) : (TorrentState.DownloadStalled, activity.Reason);
    }
}
