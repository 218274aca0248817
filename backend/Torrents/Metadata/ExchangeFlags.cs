namespace NzbDav.Torrents.Metadata;

/// <summary>Flags of a peer in a peer-exchange message (BEP 11, <c>added.f</c>).</summary>
[Flags]
internal enum ExchangeFlags : byte
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>It prefers encrypted connections.</summary>
    Encryption = 1,

    /// <summary>It downloads nothing: a seed, or upload only.</summary>
    Seed = 2,

    /// <summary>It speaks uTP.</summary>
    Utp = 4,

    /// <summary>It speaks ut_holepunch.</summary>
    HolePunch = 8,

    /// <summary>An outgoing connection to it succeeded: it can be reached.</summary>
    Reachable = 16,
}
