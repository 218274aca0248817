using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Connections that make room for others. <see cref="ConnectionManager"/> decides; here is what each is good for.</summary>
internal sealed partial class Swarm : IConnectionHolder
{
    /// <summary>A peer that was asked all the time and sent nothing for so long is of no use.</summary>
    private static readonly long LongSnub = TimeSpan.TicksPerMinute;

    /// <summary>A peer serves a reader if it is asked for something, or sent something so lately: a reader with enough ahead asks for nothing for a while.</summary>
    private static readonly long ServedTicks = 2 * TimeSpan.TicksPerMinute;

    private readonly List<Peer> _candidates = [];
    private readonly List<ConnectionStanding> _standings = [];

    /// <inheritdoc/>
    public bool IsUrgent => Readers.Windows.Count > 0 || Table is null;

    /// <inheritdoc/>
    public int CloseLeastUseful(int count)
    {
        lock (Gate)
            return CloseLeastUseful(count, "The connection made room for another torrent's.");
    }

    /// <inheritdoc/>
    public void PlaceFreed() => _dialler.Dial();

    /// <summary>The blocklist is another one.</summary>
    internal void CloseBlocked()
    {
        lock (Gate)
        {
            foreach (var peer in Peers)
            {
                if (Context.IsBlocked?.Invoke(peer.Remote.Address) == true)
                    peer.Connection.Close("The peer's address is on the blocklist.");
            }
        }
    }

    /// <summary>Adds peers that were reached before, and dials them if there is room.</summary>
    internal void AddSaved(IReadOnlyList<SavedPeer> peers)
    {
        lock (Gate)
        {
            foreach (var peer in peers)
                Book.Add(peer);
        }

        _dialler.Dial();
    }

    /// <summary>Fewer connections are allowed than there were: what those that go were asked for is asked of others.</summary>
    private void CloseSurplus()
    {
        var surplus = Context.Connections.SurplusOf(this);
        if (surplus > 0)
            CloseLeastUseful(surplus - Peers.Count(static peer => peer.Connection.IsClosing), "There are more connections than are allowed.");
    }

    /// <summary>All places are taken, and there are peers that were never tried, or long ago.</summary>
    private void TurnOver(long now)
    {
        if (Context.Connections.IsFull(this) && Book.CountReady(now, out var priority) is > 0 and var ready)
            TurnOver(new Newcomers(ready - Peers.Count(static peer => peer.Connection.IsClosing), priority), now);
    }

    /// <summary>A peer comes: if there is no place, another goes for it or it is turned away.</summary>
    private bool TryTakeIn(IPEndPoint remote)
    {
        var admission = Context.Connections.TryAccept(this, remote.Address);
        if (admission is ConnectionAdmission.Admitted or ConnectionAdmission.AddressFull || TurnOver(new Newcomers(1, Book.PriorityOf(remote)), Now) == 0)
            return admission == ConnectionAdmission.Admitted;
        Context.Connections.Replace(this, remote.Address);
        return true;
    }

    private int TurnOver(Newcomers newcomers, long now)
    {
        List(now);
        var chosen = Context.Connections.TurnOver(this, _standings, newcomers, _extensions.IsUploadOnly);
        foreach (var i in chosen)
        {
            _candidates[i].Connection.Close(_standings[i].Use switch
            {
                ConnectionUse.BothUpload or ConnectionUse.Indifferent => "Neither of us wants anything of the other.",
                ConnectionUse.Snubbed => "The peer sent nothing of what it was asked for.",
                _ => "The slowest peer made room for another.",
            });
        }

        return chosen.Count;
    }

    private int CloseLeastUseful(int count, string reason)
    {
        List(Now);
        var last = Enumerable.Range(0, _standings.Count).OrderBy(i => _standings[i].Use).ThenBy(i => _standings[i].Worth).ThenBy(i => _standings[i].Priority).ThenBy(i => _standings[i].Joined).Take(count).ToArray();
        foreach (var i in last)
            _candidates[i].Connection.Close(reason);
        return last.Length;
    }

    private void List(long now)
    {
        _candidates.Clear();
        _standings.Clear();
        foreach (var peer in Peers)
        {
            if (peer.Connection.IsClosing)
                continue;
            _candidates.Add(peer);
            _standings.Add(new ConnectionStanding(UseOf(peer, now), Book.PriorityOf(peer.Listening ?? peer.Remote), peer.Worth, peer.Joined));
        }
    }

    private ConnectionUse UseOf(Peer peer, long now)
    {
        // Neither side fetches anything of the other (BEP 21), and that will not change by itself.
        if (_extensions.IsUploadOnly && (peer.HasAll || peer.Told.IsUploadOnly))
            return ConnectionUse.BothUpload;
        if (peer.SnubbedSince is { } since && now - since >= LongSnub)
            return ConnectionUse.Snubbed;

        // Whoever is connected may describe a torrent that is not described.
        if (Table is not null && !peer.IsInterested && !peer.IsOfInterest)
            return ConnectionUse.Indifferent;
        var serves = !peer.IsSnubbed && (peer.Outstanding > 0 || (peer.Given > 0 && now - peer.LastBlock < ServedTicks));
        return serves && Readers.Windows.Count > 0 ? ConnectionUse.ServesReader : ConnectionUse.Wanted;
    }
}
