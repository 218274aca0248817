using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Connects to the known peers of a torrent, as many at once as there is room for. Thread-safe, except where use under the
/// torrent's lock is stated.</summary>
/// <param name="swarm">The torrent.</param>
internal sealed class PeerDialler(Swarm swarm)
{
    /// <summary>The known addresses. Under the gate.</summary>
    public PeerBook Book { get; } = new(swarm.Context.IsBlocked, swarm.Context.Rules.MayDial, swarm.Context.ReachesByUtp);

    /// <summary>Number of connections being opened.</summary>
    public int Dialling => Connections.DialsOf(swarm);

    private ConnectionManager Connections => swarm.Context.Connections;

    /// <summary>Dials known peers while there is room.</summary>
    public void Dial()
    {
        while (true)
        {
            KnownPeer? known;
            DialTarget target;
            bool byAlias;
            lock (swarm.Gate)
            {
                known = Next();
                if (known is null)
                    return;
                swarm.CountExpected();
                byAlias = known.DialsByAlias;
                target = new DialTarget(known.Endpoint, swarm.CreateHandshake(byAlias), known.IsPlain, Book.IsNextByUtp(known));
            }

            _ = DialAsync(target, known.Sources, byAlias);
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

    private async Task DialAsync(DialTarget target, PeerSources sources, bool byAlias)
    {
        await Task.Yield();
        var started = swarm.Now;
        ITransport? transport = null;
        try
        {
            transport = await ConnectAsync(target);
        }
        finally
        {
            // Always: the torrent cannot be closed while a dial is counted.
            OnDialed(target, sources, transport, byAlias, started);
        }
    }

    private void OnDialed(DialTarget target, PeerSources sources, ITransport? transport, bool byAlias, long started)
    {
        var (now, endpoint) = (swarm.Now, target.Remote);
        Peer? peer = null;
        lock (swarm.Gate)
        {
            if (transport is not null && !swarm.IsClosed && Book.Allows(sources))
            {
                peer = swarm.Join(transport, endpoint, sources, byAlias);
                peer.Pipeline.SeedRtt(now - started);
            }
            else
            {
                Book.OnDialUnanswered(endpoint, target.ByUtp, now);
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
        using var patience = new CancellationTokenSource(swarm.Context.Options.DialTimeout, swarm.Context.Time);
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
