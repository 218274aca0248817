using NzbDav.Catalog.Torrents;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.Seeding;

/// <summary>Passes a torrent's orders to the engine, and checks their progress.</summary>
internal static class TorrentOrders
{
    /// <summary>
    /// Passes changed orders to the open torrent, and checks progress on unchanged ones. Returns why they cannot be followed, or null.
    /// </summary>
    public static string? Apply(ShelfSlot slot, SharePolicy policy, TorrentNeed need, RunningTorrent torrent, Torrent open)
    {
        var entry = slot.Entry;
        var keeps = policy.Keep && need != TorrentNeed.Await;
        var told = (keeps, need, string.Join(',', entry.Files) + entry.IsSequential);
        if (torrent.LastOrders == told)
        {
            if (keeps && open.Missing is { } gone)
                return TextOf(gone);

            // A cache without room for head and tail now may have room later.
            var status = open.GetStatus();
            if (status.FetchEnded is not { } ended)
                return null;
            if (need == TorrentNeed.Download)
                return status.IsDiskFull ? $"{TorrentView.DiskFull}, and the torrent goes on when there is room. {ended}" : ended;
            if (need is TorrentNeed.Probe or TorrentNeed.Await)
                open.FetchAll(true);
            return null;
        }

        if (open.Keep(keeps) is { } refused)
            return open.Missing is { } away ? TextOf(away) : refused;
        if (keeps && open.Missing is not null)
        {
            if (open.RecheckMissingFiles() is { } missing)
                return TextOf(missing);

            // Files that are back are hashed if necessary, before anything is fetched.
            if (open.IsChecking)
                return null;
        }

        torrent.LastOrders = told;
        if (need == TorrentNeed.ReturnToCache)
        {
            open.FetchAll(false);
            return null;
        }

        open.Select(need is TorrentNeed.Probe or TorrentNeed.Await
            ? new FetchOrder { EdgesOnly = true, Files = [.. slot.Facts!.Files.Select(file => file == slot.Facts.Main ? 1 : 0)] }
            : new FetchOrder
            {
                EdgesFirst = true,
                IsSequential = entry.IsSequential,
                Files = [.. slot.Facts!.Files.Select((_, file) => RankOf(entry.PriorityOf(file)))]
            });
        open.FetchAll(true);
        return null;
    }

    /// <summary>True once head and tail of the main file are verified and one whole copy was seen.</summary>
    public static bool IsReadable(ShelfSlot slot, Torrent open) =>
        slot.Facts?.Main is { } main && open.LastStatus.SawWhole && open.Holds(main, 0, Math.Min(main.Length, FetchOrder.EdgeBytes))
            && open.Holds(main, Math.Max(0, main.Length - FetchOrder.EdgeBytes), main.Length);

    /// <summary>Wanted bytes held by a torrent that is not running, as recorded when it last ran.</summary>
    public static long? ReadHeld(ShelfSlot slot, SeedingOptions options, TorrentEngine engine)
    {
        if (slot.Facts is not { } facts || !options.PolicyOf(slot).Keep || !InfoHash.TryParse(slot.Entry.Hash, out var hash))
            return null;
        var held = engine.ReadKept(hash, facts.Files);
        return held?.Index().Where(file => !facts.Files[file.Index].IsPadding && slot.Entry.PriorityOf(file.Index) != FilePriority.Skip)
            .Sum(static file => file.Item);
    }

    /// <summary>True if two states of a torrent have the same limits, trackers and web seeds.</summary>
    public static bool AreSame(TorrentEntry before, TorrentEntry now) =>
        ReferenceEquals(before, now)
        || ((before.UploadLimit, before.DownloadLimit) == (now.UploadLimit, now.DownloadLimit)
            && AreSame(before.WebSeeds, now.WebSeeds, static (one, other) => one == other)
            && AreSame(before.Trackers, now.Trackers, static (one, other) => one.SequenceEqual(other)));

    private static bool AreSame<T>(IReadOnlyList<T>? before, IReadOnlyList<T>? now, Func<T, T, bool> areSame)
    {
        if (before is null || now is null)
            return before is null && now is null;
        return before.Count == now.Count && before.Zip(now).All(pair => areSame(pair.First, pair.Second));
    }

    private static string TextOf(string missing) =>
        $"{TorrentView.FilesMissing}: {missing} Nothing is fetched. It goes on when they are back; recheck it to fetch what is lost again.";

    private static int RankOf(FilePriority priority) => priority switch
    {
        FilePriority.Skip => 0,
        FilePriority.High => 10,
        FilePriority.Highest => 20,
        _ => 1,
    };
}
