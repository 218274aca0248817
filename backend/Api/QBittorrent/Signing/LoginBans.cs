using System.Net;
using NzbDav.Catalog;

namespace NzbDav.Api.QBittorrent;

/// <summary>
/// Addresses that are banned after too many wrong logins. The same wrong one again and again counts once: a client whose password was changed asks every minute, and would be banned
/// from before its settings are mended. Thread-safe; bounded.
/// </summary>
internal sealed class LoginBans(Live<QbitOptions> options, TimeProvider time)
{
    private const int MostAddresses = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, Record> _records = [];

    /// <summary>True while nothing that comes from the address is looked at.</summary>
    public bool IsBanned(IPAddress? address)
    {
        lock (_gate)
            return Find(address) is { } record && record.Failures.Count >= options.Value.MostFailures;
    }

    /// <summary>A login was wrong.</summary>
    /// <param name="address">Where it came from.</param>
    /// <param name="attempt">Tells name and password from others.</param>
    public void Failed(IPAddress? address, int attempt)
    {
        lock (_gate)
        {
            var record = Find(address);
            if (record is null)
            {
                if (_records.Count >= MostAddresses)
                    _records.Remove(_records.MinBy(static pair => pair.Value.Until).Key);
                _records[KeyOf(address)] = record = new Record();
            }

            record.Until = time.GetUtcNow() + options.Value.BanLifetime;
            record.Failures.Add(attempt);
        }
    }

    /// <summary>A login was right: what was wrong before is forgotten.</summary>
    public void Succeeded(IPAddress? address)
    {
        lock (_gate)
            _records.Remove(KeyOf(address));
    }

    private static IPAddress KeyOf(IPAddress? address) => address is null ? IPAddress.None : address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;

    private Record? Find(IPAddress? address)
    {
        var key = KeyOf(address);
        if (!_records.TryGetValue(key, out var record))
            return null;
        if (time.GetUtcNow() < record.Until)
            return record;
        _records.Remove(key);
        return null;
    }

    private sealed class Record
    {
        public HashSet<int> Failures { get; } = [];

        public DateTimeOffset Until { get; set; }
    }
}
