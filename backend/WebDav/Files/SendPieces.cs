namespace NzbDav.WebDav.Files;

/// <summary>
/// How much is copied to a connection before a flush. It stays there as long as the client does not read, so many responses get smaller pieces. Thread-safe.
/// </summary>
internal sealed class SendPieces
{
    /// <summary>A whole article at once costs every response in flow its size once more (16 readers: 20 MB); a quarter of this costs a tenth more CPU.</summary>
    internal const int Most = 256 << 10;

    /// <summary>One block of the connection's memory.</summary>
    internal const int Least = 64 << 10;

    /// <summary>What all responses together leave with their connections, down to <see cref="Least"/> for each.</summary>
    internal const int Room = 16 << 20;

    private int _open;

    /// <summary>Bytes.</summary>
    public int Size => Math.Clamp(Room / Math.Max(1, Volatile.Read(ref _open)), Least, Most);

    /// <summary>A response begins.</summary>
    public void Opened() => Interlocked.Increment(ref _open);

    /// <summary>A response has ended.</summary>
    public void Closed() => Interlocked.Decrement(ref _open);
}
