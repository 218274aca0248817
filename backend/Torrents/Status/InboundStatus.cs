namespace NzbDav.Torrents.Status;

/// <summary>
/// Whether peers from outside have reached our port, since the start or since the port or the network changed. Zero does not prove that it
/// is closed: nobody may have tried.
/// </summary>
/// <param name="Count">Connections that came in from public addresses.</param>
/// <param name="Last">When the last one came; null: none has.</param>
public readonly record struct InboundStatus(long Count, DateTimeOffset? Last)
{
    /// <summary>True once the port is proved to be reachable.</summary>
    public bool IsProved => Count > 0;
}
