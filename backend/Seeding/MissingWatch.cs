using NzbDav.Catalog.Blobs;

namespace NzbDav.Seeding;

/// <summary>
/// Detects when missing kept files are back. Checks once a minute, one torrent after the other in the background, so that a disk that hangs
/// does not delay the other work of a step. Not thread-safe.
/// </summary>
internal sealed class MissingWatch(TimeProvider time)
{
    /// <summary>Interval between two checks.</summary>
    public static readonly TimeSpan Pace = TimeSpan.FromMinutes(1);

    private IReadOnlyList<string>? _found;
    private bool _isChecking;
    private long? _checkedAt;

    /// <summary>Returns the torrents whose files the last check found again, each once. Starts another check if one is due.</summary>
    /// <param name="missing">The torrents with missing files: info-hash and .torrent.</param>
    /// <param name="isBack">Returns true if nothing is missing any more. Called on another thread.</param>
    public IReadOnlyList<string> Due(IReadOnlyList<(string Hash, BlobHash Metainfo)> missing, Func<BlobHash, Task<bool>> isBack)
    {
        if (Interlocked.Exchange(ref _found, value: null) is { } found)
        {
            _isChecking = false;
            var known = missing.Select(static torrent => torrent.Hash).ToHashSet(StringComparer.Ordinal);
            return [.. found.Where(known.Contains)];
        }

        if (!_isChecking && missing.Count > 0 && (_checkedAt is not { } looked || time.GetElapsedTime(looked) >= Pace))
        {
            _checkedAt = time.GetTimestamp();
            _isChecking = true;
            _ = Task.Run(() => CheckAsync(missing, isBack));
        }

        return [];
    }

    private async Task CheckAsync(IReadOnlyList<(string Hash, BlobHash Metainfo)> missing, Func<BlobHash, Task<bool>> isBack)
    {
        var back = new List<string>();
        try
        {
            foreach (var (hash, metainfo) in missing)
            {
                if (await isBack(metainfo))
                    back.Add(hash);
            }
        }
        finally
        {
            Volatile.Write(ref _found, back);
        }
    }
}
