using NzbDav.Catalog.Jobs;

namespace NzbDav.Seeding;

/// <summary>Reports changes of torrents.</summary>
public sealed partial class TorrentShelf
{
    private void OnStored(IReadOnlyCollection<string> hashes) => Note(hashes);

    private void OnJob(JobChange change) => Note([]);

    private void OnRemoved() => Note([]);

    private void Note(IReadOnlyCollection<string> hashes)
    {
        _book.Invalidate();
        lock (_gate)
        {
            // An empty collection means that any torrent may have changed.
            if (hashes.Count == 0)
                _changed.Add("");
            _changed.UnionWith(hashes);
            if (_isTelling)
                return;
            _isTelling = true;
        }

        _timer.Change(Pace, Timeout.InfiniteTimeSpan);
    }

    private void Tell()
    {
        HashSet<string> changed;
        lock (_gate)
        {
            changed = _changed;
            _changed = new HashSet<string>(StringComparer.Ordinal);
            _isTelling = false;
        }

        Changed?.Invoke(changed.Contains("") ? [] : changed);
    }
}
