using System.Globalization;
using System.Net;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Blocking;

/// <summary>
/// Addresses that nothing is sent to and nothing is taken from: single ones, and those of a file, read when it is set and again when it changes (looked at every ten seconds). While it cannot be
/// read, what was read last holds. Thread-safe.
/// </summary>
internal sealed class Blocklist : IDisposable
{
    private static readonly TimeSpan LookEvery = TimeSpan.FromSeconds(10);
    private readonly Func<string?> _path;
    private readonly Func<IReadOnlyList<IPAddress>> _banned;
    private readonly Action<string> _tell;
    private readonly ITimer _timer;
    private readonly Lock _reading = new();
    private AddressRanges _ranges = AddressRanges.Empty;
    private AddressRanges _singles = AddressRanges.Empty;
    private IReadOnlyList<IPAddress> _bannedBefore = [];
    private (string? Path, DateTime Written, long Length) _read;
    private long _refused;

    /// <param name="path">Of the file; null = none. Asked for at each look.</param>
    /// <param name="banned">Single addresses. Asked for at each look.</param>
    /// <param name="time">Drives the looks.</param>
    /// <param name="tell">Told of each list that was read, and of what is wrong with it, once. On any thread.</param>
    public Blocklist(Func<string?> path, Func<IReadOnlyList<IPAddress>> banned, TimeProvider time, Action<string> tell)
    {
        _path = path;
        _banned = banned;
        _tell = tell;
        _timer = time.CreateTimer(static state => ((Blocklist)state!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        Look();
    }

    /// <summary>Another list holds: connections may have to go. On any thread.</summary>
    public event Action? Changed;

    /// <summary>Ranges that hold.</summary>
    public int Count => Volatile.Read(ref _ranges).Count;

    /// <summary>How often an address was found on it.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    /// <summary>True for an address on the list.</summary>
    public bool Contains(IPAddress address) => Note(Volatile.Read(ref _singles).Contain(address) || Volatile.Read(ref _ranges).Contain(address));

    /// <summary>True for an address on the list.</summary>
    public bool Contains(DatagramAddress address) =>
        Note(Volatile.Read(ref _singles).Contain(address.Family, address.AddressNumber) || Volatile.Read(ref _ranges).Contain(address.Family, address.AddressNumber));

    /// <summary>Takes over the single addresses, and reads the file if it is another than the one that was read.</summary>
    public void Look()
    {
        lock (_reading)
        {
            // Both, in any case.
            if (!(LookAtBanned() | LookAtFile()))
                return;
        }

        Changed?.Invoke();
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    private bool LookAtBanned()
    {
        var banned = _banned();
        if (banned.SequenceEqual(_bannedBefore))
            return false;
        _bannedBefore = banned;
        Volatile.Write(ref _singles, AddressRanges.Of(banned));
        return true;
    }

    private bool LookAtFile()
    {
        var path = _path();
        var period = path is null ? Timeout.InfiniteTimeSpan : LookEvery;
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
            _tell(malformed == 0
                ? string.Create(CultureInfo.InvariantCulture, $"The blocklist has {ranges.Count:N0} ranges of addresses.")
                : string.Create(CultureInfo.InvariantCulture, $"The blocklist has {ranges.Count:N0} ranges of addresses; {malformed:N0} lines cannot be read, the first is {first}"));
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            _tell($"The blocklist {path} cannot be read: {error.Message}. What was read before holds.");
            return false;
        }
    }
}
