namespace NzbDav.Torrents.Wire;

/// <summary>
/// Memory of the outboxes of all of an engine's peers, beyond a small buffer for each. Peers that do not read would otherwise hold up to
/// 2 MiB each. Thread-safe.
/// </summary>
internal sealed class OutboxBudget
{
    /// <summary>Bytes of a buffer that do not count: nearly 2,000 requests, which is as much as a peer is ever sent at once.</summary>
    public const int Free = 32 << 10;

    /// <summary>Bytes that all of them may hold beyond that. A peer that reads holds nothing for long, so this is for those that do
    /// not.</summary>
    public const long Most = 16 << 20;

    private long _held;

    /// <summary>Bytes held now.</summary>
    public long Held => Interlocked.Read(ref _held);

    /// <summary>Adds bytes, or removes them if negative. False if there are too many now; they are counted all the same.</summary>
    public bool Add(long bytes) => Interlocked.Add(ref _held, bytes) <= Most;
}
