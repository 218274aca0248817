using System.Net;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Connects to a quiet peer at every address once <see cref="Reachable"/> completes; counts dials and connections.</summary>
internal sealed class QuietDialer : ITransportDialer
{
    private int _dials;
    private int _mostDials;
    private int _open;
    private int _mostOpen;
    private int _waiting;

    /// <summary>Dials end when this is complete.</summary>
    public TaskCompletionSource Reachable { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Dials under way.</summary>
    public int Dials => Volatile.Read(ref _dials);

    /// <summary>Most dials at once so far.</summary>
    public int MostDials => Volatile.Read(ref _mostDials);

    /// <summary>Connections that wait for their peers without a buffer.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>Open connections.</summary>
    public int Open => Volatile.Read(ref _open);

    /// <summary>Most open connections at once so far.</summary>
    public int MostOpen => Volatile.Read(ref _mostOpen);

    public async ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken)
    {
        Raise(ref _mostDials, Interlocked.Increment(ref _dials));
        try
        {
            await Reachable.Task.WaitAsync(cancellationToken);
        }
        finally
        {
            Interlocked.Decrement(ref _dials);
        }

        Raise(ref _mostOpen, Interlocked.Increment(ref _open));
        return new QuietTransport(target.Remote, this);
    }

    /// <summary>A connection waits for its peer without a buffer.</summary>
    public void Waits() => Interlocked.Increment(ref _waiting);

    /// <summary>A connection was closed.</summary>
    public void Closed() => Interlocked.Decrement(ref _open);

    private static void Raise(ref int most, int value)
    {
        for (var before = Volatile.Read(ref most); value > before;)
        {
            var seen = Interlocked.CompareExchange(ref most, value, before);
            if (seen == before)
                return;
            before = seen;
        }
    }
}
