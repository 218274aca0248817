using System.Globalization;
using NzbDav.Catalog.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Seeding;

/// <summary>
/// Decides when a torrent that is to be kept may start: only when all of it fits on the disk, in addition to what torrents already started
/// still need and to the space that must stay free. Torrents that do not fit wait, in queue order; the free space is checked once a minute.
/// Not thread-safe.
/// </summary>
internal sealed class KeepRoom(TorrentSessions sessions, TimeProvider time)
{
    private long? _checkedAt;

    /// <summary>Updates <see cref="RunningTorrent.HasRoom"/> and <see cref="RunningTorrent.WaitsFor"/> of each torrent.</summary>
    /// <param name="slots">All torrents, in queue order.</param>
    /// <param name="options">Policies, and the space that must stay free.</param>
    /// <param name="find">Returns the runner's state of a torrent; null: it has none.</param>
    public void Update(IReadOnlyList<ShelfSlot> slots, SeedingOptions options, Func<string, RunningTorrent?> find)
    {
        var promised = 0L;
        var waiting = new List<(RunningTorrent Torrent, InfoHash Hash, long Needs)>();
        foreach (var slot in slots)
        {
            if (find(slot.Entry.Hash) is not { } torrent || !InfoHash.TryParse(slot.Entry.Hash, out var hash))
                continue;
            if (slot.Facts is not { } facts || slot.Entry.Removed is not null || !options.PolicyOf(slot).Keep)
            {
                (torrent.HasRoom, torrent.WaitsFor) = (false, null);
                continue;
            }

            var wanted = facts.Files.Index()
                .Where(file => !file.Item.IsPadding && slot.Entry.PriorityOf(file.Index) != FilePriority.Skip)
                .Sum(static file => file.Item.Length);
            torrent.HasRoom |= sessions.Engine.IsKept(hash);
            if (!torrent.HasRoom)
                waiting.Add((torrent, hash, wanted));
            else if (slot.Entry is { Completed: null, IsStopped: false })
                promised += Math.Max(0, wanted - (torrent.Held ?? 0));
        }

        var isTime = _checkedAt is not { } looked || time.GetElapsedTime(looked) >= RoomWatch.Pace;
        if (isTime)
            _checkedAt = time.GetTimestamp();
        foreach (var (torrent, hash, needs) in waiting)
        {
            if (!isTime && torrent.WaitsFor is not null)
                continue;
            var room = sessions.Engine.ReadFree(hash) - options.KeepFree - promised ?? long.MaxValue;
            torrent.HasRoom = needs <= room;
            torrent.WaitsFor = torrent.HasRoom ? null : string.Create(
                CultureInfo.InvariantCulture,
                $"There is no room to keep and seed it: it takes {needs / 1e9:0.0} GB, "
                + $"and {Math.Max(0, room) / 1e9:0.0} GB may be used for it. Until there is room it is only streamed, and stays in its " +
                    $"swarm.");
            if (torrent.HasRoom)
                promised += needs;
        }
    }
}
