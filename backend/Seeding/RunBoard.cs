using System.Collections.Concurrent;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding;

/// <summary>The current activity of each torrent, as last set by the runner. Thread-safe.</summary>
internal sealed class RunBoard
{
    private readonly ConcurrentDictionary<string, TorrentRun> _runs = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, bool> _checking = new(StringComparer.Ordinal);

    public TorrentRun Find(string hash)
    {
        var run = _runs.GetValueOrDefault(hash) ?? TorrentRun.Idle;
        return _checking.ContainsKey(hash) ? run with { Phase = TorrentPhase.Checking } : run;
    }

    public void Set(string hash, TorrentRun run) => _runs[hash] = run;

    public void Forget(string hash) => _runs.TryRemove(hash, out _);

    /// <summary>Marks a torrent as being hashed. False if it already was.</summary>
    public bool TryBeginChecking(string hash) => _checking.TryAdd(hash, true);

    public bool IsChecking(string hash) => _checking.ContainsKey(hash);

    public void EndChecking(string hash) => _checking.TryRemove(hash, out _);
}

/// <summary>Current activity of a torrent, for its view. Immutable.</summary>
/// <param name="Phase">The activity.</param>
/// <param name="Totals">The current totals; null: the stored ones.</param>
/// <param name="Held">Verified bytes that are present; null: unknown.</param>
/// <param name="WaitsFor">Message that it waits for disk space; null: it does not wait.</param>
internal sealed record TorrentRun(TorrentPhase Phase, TorrentTotals? Totals = null, long? Held = null, string? WaitsFor = null)
{
    public static TorrentRun Idle { get; } = new(TorrentPhase.Idle);
}

/// <summary>Current activity of a torrent.</summary>
internal enum TorrentPhase
{
    /// <summary>Nothing: it is opened only when a reader needs it.</summary>
    Idle,

    /// <summary>It waits for its turn in the queue.</summary>
    Queued,

    /// <summary>It is run: the runner holds it open in its swarm.</summary>
    Running,

    /// <summary>Its data on disk is being hashed.</summary>
    Checking,

    /// <summary>Its data on disk is being moved.</summary>
    Moving,
}
