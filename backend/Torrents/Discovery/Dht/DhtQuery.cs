namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>A query that we send.</summary>
/// <param name="Kind">Which.</param>
/// <param name="Target">What is looked for; nothing for a ping.</param>
internal readonly record struct DhtQuery(DhtQueryKind Kind, NodeId Target)
{
    /// <summary>Given with an announce: what the node told before.</summary>
    public byte[]? Token { get; init; }

    /// <summary>TCP port that is announced.</summary>
    public int Port { get; init; }

    /// <summary>Nodes of both families are wanted (BEP 32).</summary>
    public bool WantsBoth { get; init; }

    /// <summary>Set when it is sent.</summary>
    public byte[]? Transaction { get; init; }
}
