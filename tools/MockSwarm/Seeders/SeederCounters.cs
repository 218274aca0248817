namespace NzbDav.MockSwarm.Seeders;

/// <summary>Counters of a seeder. Thread-safe.</summary>
public sealed class SeederCounters
{
    private long _connections;
    private long _requests;
    private long _blocks;
    private long _bytes;
    private long _cancels;
    private long _rejects;
    private long _sent;

    public long Connections => Interlocked.Read(ref _connections);

    /// <summary>Requests received for blocks.</summary>
    public long Requests => Interlocked.Read(ref _requests);

    /// <summary>Blocks sent.</summary>
    public long Blocks => Interlocked.Read(ref _blocks);

    /// <summary>Payload bytes of these blocks.</summary>
    public long Payload => Interlocked.Read(ref _bytes);

    public long Cancels => Interlocked.Read(ref _cancels);

    public long Rejects => Interlocked.Read(ref _rejects);

    /// <summary>All bytes passed to the socket.</summary>
    public long Sent => Interlocked.Read(ref _sent);

    internal void Connected() => Interlocked.Increment(ref _connections);

    internal long Requested() => Interlocked.Increment(ref _requests) - 1;

    internal void Served(int payload)
    {
        Interlocked.Increment(ref _blocks);
        Interlocked.Add(ref _bytes, payload);
    }

    internal void Cancelled() => Interlocked.Increment(ref _cancels);

    internal void Rejected() => Interlocked.Increment(ref _rejects);

    internal void Passed(int bytes) => Interlocked.Add(ref _sent, bytes);
}
