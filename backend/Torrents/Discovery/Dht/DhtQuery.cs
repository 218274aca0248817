namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>A query that we send.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Target">The id searched for; unused for a ping.</param>
internal readonly record struct DhtQuery(DhtQueryKind Kind, NodeId Target)
{
    /// <summary>Sent with an announce: the token that the node gave us.</summary>
    public byte[]? Token { get; init; }

    /// <summary>TCP port to announce.</summary>
    public int Port { get; init; }

    /// <summary>True if nodes of both families are wanted (BEP 32).</summary>
    public bool WantsBoth { get; init; }

    /// <summary>Set when it is sent.</summary>
    public byte[]? Transaction { get; init; }
}
