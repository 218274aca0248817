using System.Net.Sockets;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>The second name of a hybrid torrent (BEP 52). Peers that use it speak as all others do: its pieces are the same.</summary>
internal sealed partial class Swarm
{
    private const string Another = "The peer shares another torrent.";

    private InfoHash? _alias;

    /// <summary>See <see cref="TorrentInfo.Alias"/>; null if it has none, or another open torrent has that name. Until it is described, it
    /// is what the magnet link says. Thread-safe.</summary>
    public InfoHash? Alias
    {
        get
        {
            lock (Gate)
                return _alias is { } alias && Context.Aliases.Find(alias) == Hash ? alias : null;
        }
    }

    /// <summary>
    /// The alias, if it is announced to trackers. That of a private torrent is not: its tracker knows one of the two hashes, and would
    /// refuse the other or count one user and one transfer twice. Thread-safe.
    /// </summary>
    public InfoHash? AnnouncedAlias => Table is { Info.IsPrivate: true } ? null : Alias;

    /// <inheritdoc/>
    public Handshake GreetingBy(bool alias)
    {
        var hasNode = NodePort(AddressFamily.InterNetwork) > 0 || NodePort(AddressFamily.InterNetworkV6) > 0;
        return new Handshake((alias ? Alias : null) ?? Hash, Context.PeerId, Fast: true, Extensions: true, hasNode);
    }

    /// <summary>Sets the alias that a magnet link names, or null. Once the torrent is described, only its own counts.</summary>
    public void Rename(InfoHash? alias)
    {
        lock (Gate)
            Use(Table is { } table ? table.Info.Alias : alias);
    }

    /// <summary>The torrent is closed: others may have its alias.</summary>
    public void Unname()
    {
        lock (Gate)
            Use(alias: null);
    }

    private void Use(InfoHash? alias)
    {
        if (alias == _alias)
            return;
        if (_alias is { } former)
            Context.Aliases.Release(former, Hash);
        _alias = alias;
        if (alias is { } name && name != Hash)
            Context.Aliases.Take(name, Hash);

        // The magnet link was wrong: these share another torrent.
        foreach (var peer in Peers)
        {
            if (peer.ByAlias)
                peer.Connection.Close(Another);
        }
    }
}
