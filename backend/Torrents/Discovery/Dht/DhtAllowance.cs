using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>
/// Limits the cost of strangers' queries: an answer can be seven times as long as its query, and the query's sender can be forged. Used under the DHT's
/// lock.
/// </summary>
internal sealed class DhtAllowance
{
    /// <summary>Bytes of answers per second.</summary>
    public const int BytesPerSecond = 50_000;

    /// <summary>Answers to one address per second: a lookup asks a node once or twice.</summary>
    public const int PerAddress = 10;

    private readonly Dictionary<UInt128, int> _asked = [];
    private long _since;
    private int _bytes;

    /// <summary>True if a query from this address may be answered now.</summary>
    public bool Allows(DatagramAddress address, long now)
    {
        if (now - _since >= TimeSpan.TicksPerSecond)
        {
            _since = now;
            _bytes = 0;
            _asked.Clear();
        }

        var asked = _asked.GetValueOrDefault(address.AddressNumber);
        if (_bytes >= BytesPerSecond || (asked >= PerAddress && !address.IsLocal))
            return false;
        _asked[address.AddressNumber] = asked + 1;
        return true;
    }

    /// <summary>Counts an answer that was sent.</summary>
    public void Count(int bytes) => _bytes += bytes;
}
