using System.Net;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Catalog.Settings;

namespace NzbDav.Api.QBittorrent.Signing;

/// <summary>
/// Addresses that are banned after too many wrong logins. Repeating the same wrong credentials counts once: a client whose password was changed tries every minute, and
/// would be banned before its settings are corrected. Thread-safe; bounded.
/// </summary>
internal sealed class LoginBans(Live<QbitOptions> options, TimeProvider time)
{
    private const int MostAddresses = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, Record> _records = [];

    /// <summary>True while all calls from the address are refused.</summary>
    public bool IsBanned(IPAddress? address)
    {
        lock (_gate)
            return Find(address) is { } record && record.Failures.Count >= options.Value.MostFailures;
    }

    /// <summary>Reports a wrong login.</summary>
    /// <param name="address">Where it came from.</param>
    /// <param name="attempt">Identifies the combination of name and password.</param>
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

    /// <summary>Reports a successful login: earlier failures of the address are forgotten.</summary>
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
