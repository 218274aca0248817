using System.Collections.Concurrent;

namespace NzbDav.Seeding;

/// <summary>Current activity of each torrent, as last set by the runner. Thread-safe.</summary>
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

    /// <summary>Marks a torrent as being hashed; false if it already was.</summary>
    public bool TryBeginChecking(string hash) => _checking.TryAdd(hash, true);

    public bool IsChecking(string hash) => _checking.ContainsKey(hash);

    public void EndChecking(string hash) => _checking.TryRemove(hash, out _);
}
