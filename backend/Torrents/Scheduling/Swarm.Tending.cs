using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Work done once a second.</summary>
internal sealed partial class Swarm
{
    private static readonly long HandshakeTicks = 15 * TimeSpan.TicksPerSecond;

    /// <summary>Longest silence of a peer. BEP 3: a keep-alive is sent every two minutes.</summary>
    private static readonly long SilenceTicks = 150 * TimeSpan.TicksPerSecond;

    /// <summary>A peer that has sent no block for this long is idle.</summary>
    private static readonly long IdleTicks = 5 * TimeSpan.TicksPerSecond;

    /// <summary>
    /// Longest time for which a peer may take nothing of what is being sent to it: a batch of blocks at 2 KB/s. A peer that still sends
    /// keep-alives is not silent, but may never read.
    /// </summary>
    private static readonly TimeSpan SendTimeout = TimeSpan.FromMinutes(2);

    private static readonly long KeepAliveTicks = 90 * TimeSpan.TicksPerSecond;

    /// <summary>Interval at which reached peers are saved. They are also saved when the torrent is closed.</summary>
    private static readonly long SaveTicks = 5 * TimeSpan.TicksPerMinute;

    /// <summary>Called once a second: time-outs, keep-alives, choke rounds, redials.</summary>
    private void Tick()
    {
        var now = Now;
        lock (Gate)
        {
            var keepAlive = now - _lastKeepAlive > KeepAliveTicks;
            if (keepAlive)
                _lastKeepAlive = now;
            foreach (var peer in Peers)
                TickPeer(peer, keepAlive, now);
            CloseSurplus();
            TurnOver(now);
            _messages.RequestMetadata();
            _messages.SendExtensionHandshakeIfChanged();
            _messages.WithdrawInterest();
            _exchange.SendPexIfDue(now);
            if (now - _lastRound >= Choker.Round.Ticks)
            {
                _lastRound = now;
                _choker.Run(Peers, Context.Options.UploadSlots);
            }

            if (now - _lastSaved >= SaveTicks)
            {
                _lastSaved = now;
                ThreadPool.QueueUserWorkItem(static swarm => swarm.SavePeers(), this, preferLocal: false);
            }

            CountExpected();
            Readers.MarkIdleReaders(now);
            GiveUpUnread(now);
            Picker?.FindSources();
            Picker?.RefillAll(now);
            Status.Sample(now);
        }

        StartWebSeeds();
        Flush();
        _dialler.Dial();
    }

    /// <summary>Call when more is wanted than before: declares interest in the peers that have it. Under the gate.</summary>
    public void DeclareInterest()
    {
        foreach (var peer in Peers)
            _messages.DeclareIfInteresting(peer);
    }

    private void TickPeer(Peer peer, bool keepAlive, long now)
    {
        if (!peer.HandshakeDone && now - peer.Joined > HandshakeTicks)
            peer.Connection.Close("The peer did not answer the handshake.");
        else if (now - peer.LastReceivedAt > SilenceTicks)
            peer.Connection.Close("The peer fell silent.");
        else if (peer.Outbox.IsStuck(now, SendTimeout))
            peer.Connection.Close("The peer does not read what we send.");
        else if (Context.Options.Encryption == EncryptionPolicy.Require && peer.Encryption != PeerEncryption.Full && !peer.IsWebSeed)
            peer.Connection.Close("The connection is not encrypted, and the settings require that.");
        peer.StopGathering(now);
        if (peer.Outbox.HasPending)
            peer.MarkDirty();
        if (now - peer.LastBlock > IdleTicks)
            peer.Trim(now);
        peer.ResetIdleMessages();
        if (keepAlive && peer.HandshakeDone)
        {
            peer.Outbox.KeepAlive();
            peer.MarkDirty();
        }

        peer.CheckSnub(now);
    }
}
