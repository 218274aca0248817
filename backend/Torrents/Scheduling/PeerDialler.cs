using System.Net;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Connects to the peers of a torrent that are known, as many at once as there is room for. Thread-safe, but for what says that it is used under the torrent's lock.</summary>
/// <param name="swarm">The torrent.</param>
internal sealed class PeerDialler(Swarm swarm)
{
    /// <summary>The addresses. Under the gate.</summary>
    public PeerBook Book { get; } = new(swarm.Context.IsBlocked);

    /// <summary>Connections being made. Under the gate.</summary>
    public int Dialling { get; private set; }

    /// <summary>Dials who is known while there is room.</summary>
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
                Dialling++;
                swarm.CountExpected();
            }

            _ = DialAsync(known.Endpoint, known.Sources, known.IsPlain);
        }
    }

    private KnownPeer? Next()
    {
        var options = swarm.Context.Options;
        if (swarm.Context.NetworkTrouble() is not null)
            return null;
        while (!swarm.IsClosed && Dialling < options.MostDials && swarm.Peers.Count + Dialling < options.MostPeers)
        {
            var known = Book.Next(swarm.Now);
            if (known is null)
                return null;
            var admission = swarm.Context.Limits.TryDial(swarm, known.Endpoint.Address);
            if (admission == ConnectionAdmission.Admitted)
                return known;
            Book.PutBack(known, first: admission == ConnectionAdmission.Full, swarm.Now);
            if (admission == ConnectionAdmission.Full)
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
            // Whatever happened: the torrent cannot be closed while a dial counts.
            Land(endpoint, sources, transport, started);
        }
    }

    private void Land(IPEndPoint endpoint, PeerSources sources, ITransport? transport, long started)
    {
        var now = swarm.Now;
        Peer? peer = null;
        lock (swarm.Gate)
        {
            Dialling--;
            if (transport is not null && !swarm.IsClosed && Book.Allows(sources))
            {
                peer = swarm.Join(transport, endpoint, sources);
                peer.Pipeline.Trip(now - started);
            }
            else
            {
                Book.Left(endpoint, wasUseful: false, now);
            }

            swarm.Context.Limits.Dialled(swarm, endpoint.Address, isConnected: peer is not null);
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
            // As if nobody had answered.
            return null;
        }
    }
}
