using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Connects to the known peers of a torrent, as many at once as there is room for. Thread-safe, except where use under the torrent's lock is
/// stated.</summary>
/// <param name="swarm">The torrent.</param>
internal sealed class PeerDialler(ISwarm swarm)
{
    /// <summary>The known addresses. Under the gate.</summary>
    public PeerBook Book { get; } = new(swarm.Context.IsBlocked);

    /// <summary>Number of connections being opened.</summary>
    public int Dialling => Connections.DialsOf(swarm);

    private ConnectionManager Connections => swarm.Context.Connections;

    /// <summary>Dials known peers while there is room.</summary>
    public void Dial()
    {
        while (true)
        {
            KnownPeer? known;
            lock (swarm.Gate)
            {
                known = Next();
                if (known is null)
                    return;
                swarm.CountExpected();
            }

            _ = DialAsync(known.Endpoint, known.Sources, known.IsPlain);
        }
    }

    private KnownPeer? Next()
    {
        if (swarm.Context.NetworkTrouble() is not null)
            return null;
        while (!swarm.IsClosed && Connections.MayDial(swarm))
        {
            var known = Book.Next(swarm.Now);
            if (known is null)
                return null;
            var admission = Connections.TryDial(swarm, known.Endpoint.Address);
            if (admission == ConnectionAdmission.Admitted)
                return known;
            var isNext = admission != ConnectionAdmission.AddressFull;
            Book.PutBack(known, isNext, swarm.Now);
            if (isNext)
                return null;
        }

        return null;
    }

    private async Task DialAsync(IPEndPoint endpoint, PeerSources sources, bool isPlain)
    {
        await Task.Yield();
        var started = swarm.Now;
        ITransport? transport = null;
        try
        {
            transport = await ConnectAsync(new DialTarget(endpoint, swarm.Greeting, isPlain));
        }
        finally
        {
            // Always: the torrent cannot be closed while a dial counts.
            Land(endpoint, sources, transport, started);
        }
    }

    private void Land(IPEndPoint endpoint, PeerSources sources, ITransport? transport, long started)
    {
        var now = swarm.Now;
        Peer? peer = null;
        lock (swarm.Gate)
        {
            if (transport is not null && !swarm.IsClosed && Book.Allows(sources))
            {
                peer = swarm.Join(transport, endpoint, sources);
                peer.Pipeline.Trip(now - started);
            }
            else
            {
                Book.Left(endpoint, wasUseful: false, now);
            }

            Connections.Dialled(swarm, endpoint.Address, isConnected: peer is not null);
            swarm.CountExpected();
            swarm.EndIfEmpty();
        }

        if (peer is not null)
        {
            swarm.Metrics.Dialled(now - started);
            swarm.Start(peer, default);
            return;
        }

        transport?.Dispose();
        Dial();
    }

    private async Task<ITransport?> ConnectAsync(DialTarget target)
    {
        using var patience = new CancellationTokenSource(swarm.Context.Options.DialPatience, swarm.Context.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, swarm.Stopping);
        try
        {
            return await swarm.Context.Dialer.ConnectAsync(target, either.Token);
        }
        catch (OperationCanceledException)
        {
            // Treated like no answer.
            return null;
        }
    }
}
