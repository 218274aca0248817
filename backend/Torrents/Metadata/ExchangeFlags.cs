namespace NzbDav.Torrents.Metadata;

/// <summary>What one peer says of another (BEP 11, <c>added.f</c>).</summary>
[Flags]
internal enum ExchangeFlags : byte
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>It prefers encrypted connections.</summary>
    Encryption = 1,

    /// <summary>It wants nothing: a seed, or upload only.</summary>
    Seed = 2,

    /// <summary>It speaks uTP.</summary>
    Utp = 4,

    /// <summary>It speaks ut_holepunch.</summary>
    HolePunch = 8,

    /// <summary>A connection to it was made: it can be reached.</summary>
    Reachable = 16,
}
