namespace NzbDav.Torrents.Status;

/// <summary>
/// Bytes of one torrent, each counted once. <see cref="Received"/> is the sum of <see cref="Payload"/>, <see cref="Duplicate"/>,
/// <see cref="Discarded"/> and <see cref="Protocol"/>, except for blocks that are still arriving. Thread-safe.
/// </summary>
public sealed class SwarmCounters
{
    private long _received;
    private long _payload;
    private long _duplicate;
    private long _discarded;
    private long _protocol;
    private long _failed;
    private long _uploaded;
    private long _sent;
    private long _copied;

    /// <summary>All bytes received from peers' sockets.</summary>
    public long Received => Interlocked.Read(ref _received);

    /// <summary>Bytes of blocks that were accepted.</summary>
    public long Payload => Interlocked.Read(ref _payload);

    /// <summary>Bytes of blocks that we already had.</summary>
    public long Duplicate => Interlocked.Read(ref _duplicate);

    /// <summary>Bytes of blocks that were not wanted, or incomplete.</summary>
    public long Discarded => Interlocked.Read(ref _discarded);

    /// <summary>All bytes received that are not part of a block.</summary>
    public long Protocol => Interlocked.Read(ref _protocol);

    /// <summary>Part of <see cref="Payload"/>: bytes of pieces whose hash was wrong.</summary>
    public long Failed => Interlocked.Read(ref _failed);

    /// <summary>Bytes of blocks sent to peers.</summary>
    public long Uploaded => Interlocked.Read(ref _uploaded);

    /// <summary>All bytes sent on connections that are closed by now.</summary>
    public long Sent => Interlocked.Read(ref _sent);

    /// <summary>
    /// Bytes of blocks copied in memory between the socket's buffer and the reader: each byte once, except in blocks that two peers send at
    /// the same time.
    /// </summary>
    public long Copied => Interlocked.Read(ref _copied);

    internal void AddReceived(int bytes, int protocol)
    {
        Interlocked.Add(ref _received, bytes);
        if (protocol > 0)
            Interlocked.Add(ref _protocol, protocol);
    }

    internal void AddPayload(int bytes) => Interlocked.Add(ref _payload, bytes);

    internal void AddCopied(int bytes) => Interlocked.Add(ref _copied, bytes);

    internal void AddDuplicate(int bytes) => Interlocked.Add(ref _duplicate, bytes);

    internal void AddDiscarded(int bytes) => Interlocked.Add(ref _discarded, bytes);

    internal void AddFailed(int bytes) => Interlocked.Add(ref _failed, bytes);

    internal void AddUploaded(int bytes) => Interlocked.Add(ref _uploaded, bytes);

    internal void AddSent(long bytes) => Interlocked.Add(ref _sent, bytes);
}
