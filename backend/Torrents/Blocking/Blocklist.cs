using System.Globalization;
using System.Net;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Blocking;

/// <summary>
/// Blocked addresses: single ones, and the ranges in a file. The file is read when it is set, and again when it changes (checked every ten
/// seconds). While it cannot be read, the last list remains in effect. Thread-safe.
/// </summary>
internal sealed class Blocklist : IDisposable
{
    private static readonly TimeSpan CheckInterval = TimeSpan.FromSeconds(10);
    private readonly Func<string?> _path;
    private readonly Func<IReadOnlyList<IPAddress>> _banned;
    private readonly Action<string> _notify;
    private readonly ITimer _timer;
    private readonly Lock _reading = new();
    private AddressRanges _ranges = AddressRanges.Empty;
    private AddressRanges _singles = AddressRanges.Empty;
    private IReadOnlyList<IPAddress> _bannedBefore = [];
    private (string? Path, DateTime Written, long Length) _read;
    private long _refused;

    /// <param name="path">Path of the file; null = none. Called at each check.</param>
    /// <param name="banned">Single addresses. Called at each check.</param>
    /// <param name="time">Drives the checks.</param>
    /// <param name="notify">Receives a message for each list read, and one for each change of the file that makes it unreadable. On any
    /// thread.</param>
    public Blocklist(Func<string?> path, Func<IReadOnlyList<IPAddress>> banned, TimeProvider time, Action<string> notify)
    {
        _path = path;
        _banned = banned;
        _notify = notify;
        _timer = time.CreateTimer(static state => ((Blocklist)state!).Update(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        Update();
    }

    /// <summary>Raised on any thread when the blocked addresses have changed. Connections may have to be closed.</summary>
    public event Action? Changed;

    /// <summary>Number of ranges in effect from the file.</summary>
    public int Count => Volatile.Read(ref _ranges).Count;

    /// <summary>Number of times that an address was found on the list.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    /// <summary>True for an address on the list.</summary>
    public bool Contains(IPAddress address) =>
        Note(Volatile.Read(ref _singles).Contain(address) || Volatile.Read(ref _ranges).Contain(address));

    /// <summary>True for an address on the list.</summary>
    public bool Contains(DatagramAddress address) =>
        Note(Volatile.Read(ref _singles).Contain(address.Family, address.AddressNumber)
            || Volatile.Read(ref _ranges).Contain(address.Family, address.AddressNumber));

    /// <summary>Adopts the single addresses, and reads the file if it has changed.</summary>
    public void Update()
    {
        lock (_reading)
        {
            // Not short-circuited, because both must run.
            if (!(UpdateBanned() | UpdateFile()))
                return;
        }

        Changed?.Invoke();
    }

    public void Dispose() => _timer.Dispose();

    private bool UpdateBanned()
    {
        var banned = _banned();
        if (banned.SequenceEqual(_bannedBefore))
            return false;
        _bannedBefore = banned;
        Volatile.Write(ref _singles, AddressRanges.Of(banned));
        return true;
    }

    private bool UpdateFile()
    {
        var path = _path();
        var period = path is null ? Timeout.InfiniteTimeSpan : CheckInterval;
        _timer.Change(period, period);
        var before = _read;
        if (path is not null)
            return TryRead(path, before);
        if (before.Path is null)
            return false;
        _read = default;
        Volatile.Write(ref _ranges, AddressRanges.Empty);
        return true;
    }

    private bool Note(bool isRefused)
    {
        if (isRefused)
            Interlocked.Increment(ref _refused);
        return isRefused;
    }

    private bool TryRead(string path, (string? Path, DateTime Written, long Length) before)
    {
        try
        {
            var file = new FileInfo(path);
            var now = (path, file.Exists ? file.LastWriteTimeUtc : default, file.Exists ? file.Length : -1);
            if (now == before)
                return false;
            _read = now;
            using var stream = file.Open(FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            var (ranges, malformed, first) = BlocklistReader.Read(stream);
            Volatile.Write(ref _ranges, ranges);
            _notify(malformed == 0
                ? string.Create(CultureInfo.InvariantCulture, $"The blocklist has {ranges.Count:N0} ranges of addresses.")
                : string.Create(CultureInfo.InvariantCulture,
                    $"The blocklist has {ranges.Count:N0} ranges of addresses; {malformed:N0} lines cannot be read, the first is {first}"));
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            _notify($"The blocklist {path} cannot be read: {error.Message}. The list that was read before stays in force.");
            return false;
        }
    }
}
