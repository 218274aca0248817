namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>A node in the routing table. Used under the DHT's lock.</summary>
internal sealed class DhtNode(DhtContact contact, long seen)
{
    public DhtContact Contact { get; } = contact;

    /// <summary>When it last answered, in ticks of 100 ns.</summary>
    public long Seen { get; set; } = seen;

    /// <summary>Queries in a row that it did not answer.</summary>
    public int Failures { get; set; }

    /// <summary>True if its id matches its address (BEP 42).</summary>
    public bool Fits { get; } = contact.Id.Fits(contact.Address);
}
