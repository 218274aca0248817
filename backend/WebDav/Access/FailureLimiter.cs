using System.Net;
using System.Net.Sockets;

namespace NzbDav.WebDav.Access;

/// <summary>
/// Slows down addresses that try many wrong passwords. Counts attempts from before their outcome is known, so that a burst in
/// parallel gains nothing. Past the limit one attempt a second is let through: a right password behind the same proxy still gets
/// in after a few tries, while guessing stays slow. Thread-safe; bounded.
/// </summary>
public sealed class FailureLimiter
{
    /// <summary>How often an address past the limit may try.</summary>
    public static readonly TimeSpan Trickle = TimeSpan.FromSeconds(1);

    /// <summary>Most addresses remembered, at some 100 bytes each.</summary>
    internal const int MaxAddresses = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, Record> _records = [];
    private readonly TimeProvider _time;
    private readonly int _max;
    private readonly TimeSpan _window;

    /// <param name="time">The clock.</param>
    /// <param name="max">Attempts in a window before an address is slowed down.</param>
    /// <param name="window">How long attempts count, from the first.</param>
    public FailureLimiter(TimeProvider time, int max, TimeSpan window)
    {
        _time = time;
        _max = max;
        _window = window;
    }

    /// <summary>Addresses remembered; at most <see cref="MaxAddresses"/>.</summary>
    internal int Count
    {
        get
        {
            lock (_gate)
                return _records.Count;
        }
    }

    /// <summary>Asks whether a password may be checked. If so it counts as wrong until <see cref="Forgive"/>.</summary>
    public bool TryBegin(IPAddress? address)
    {
        var key = KeyOf(address);
        var now = _time.GetUtcNow();
        lock (_gate)
        {
            if (!_records.TryGetValue(key, out var record) || now >= record.WindowEnd)
            {
                if (record is null && _records.Count >= MaxAddresses)
                    Prune(now);
                _records[key] = record = new() { WindowEnd = now + _window };
            }

            if (record.Attempts >= _max)
            {
                if (now < record.NextTry)
                    return false;
                record.NextTry = now + Trickle;
            }

            record.Attempts++;
            return true;
        }
    }

    /// <summary>Withdraws a counted attempt: the password was right, or the check gave no result.</summary>
    public void Forgive(IPAddress? address)
    {
        lock (_gate)
        {
            if (_records.TryGetValue(KeyOf(address), out var record) && record.Attempts > 0)
                record.Attempts--;
        }
    }

    // The holder of one IPv6 address has its whole /64.
    private static IPAddress KeyOf(IPAddress? address)
    {
        if (address is null)
            return IPAddress.None;
        if (address.IsIPv4MappedToIPv6)
            return address.MapToIPv4();
        if (address.AddressFamily != AddressFamily.InterNetworkV6)
            return address;
        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out _);
        bytes[8..].Clear();
        return new IPAddress(bytes);
    }

    private void Prune(DateTimeOffset now)
    {
        foreach (var (address, record) in _records)
        {
            if (now >= record.WindowEnd)
                _records.Remove(address);
        }

        // All addresses active at once means a distributed attack: start over rather than grow.
        if (_records.Count >= MaxAddresses)
            _records.Clear();
    }

    private sealed class Record
    {
        public DateTimeOffset WindowEnd { get; init; }

        public DateTimeOffset NextTry { get; set; }

        public int Attempts { get; set; }
    }
}
