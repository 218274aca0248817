using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// The web seeds of a torrent (BEP 19). Each joins it as a peer, so the scheduler sees no difference. Used under the torrent's lock.
/// </summary>
/// <param name="swarm">The torrent.</param>
internal sealed class SwarmWebSeeds(Swarm swarm)
{
    /// <summary>
    /// Most web seeds in use at once. A site with many mirrors names them all; three fill any line, and the others replace those that fail.
    /// </summary>
    private const int MostActive = 3;

    /// <summary>Most web seeds of a torrent; the .torrent and the magnet link may name different ones.</summary>
    private const int Most = 200;

    /// <summary>
    /// Fewest blocks requested at first: 2 MiB. A longer piece is requested whole, because nothing of it can be read before it is complete.
    /// </summary>
    private const int FirstBlocks = 128;

    /// <summary>Most blocks requested at first: 16 MiB.</summary>
    private const int MostFirstBlocks = 1_024;

    private List<WebSeed> _all = [];
    private bool _isChosen;

    /// <summary>Adds web seeds that are not known yet, unless the user has named which ones to use.</summary>
    /// <param name="addresses">Their addresses.</param>
    /// <param name="isFromLink">True if a magnet link names them: a private torrent does not use those (BEP 27).</param>
    public void Add(IEnumerable<Uri> addresses, bool isFromLink)
    {
        if (_isChosen)
            return;
        foreach (var address in addresses)
        {
            var known = _all.FindIndex(seed => seed.Address == address);
            if (known < 0 && _all.Count < Most && !(isFromLink && swarm.Table is { Info.IsPrivate: true }))
                _all.Add(new WebSeed(address, isFromLink));
        }
    }

    /// <summary>Replaces all by those that the user named.</summary>
    public void Use(IReadOnlyList<Uri> addresses)
    {
        _isChosen = true;
        var chosen = addresses.Distinct().Take(Most).ToList();
        foreach (var seed in _all.Where(seed => !chosen.Contains(seed.Address)))
            seed.Remove();

        // They count as named by the user, even if a magnet link named them before.
        _all = chosen.ConvertAll(address => _all.Find(seed => seed.Address == address) ?? new WebSeed(address, isFromLink: false));
    }

    /// <summary>Removes the seeds that a magnet link named, unless the user has chosen. Called before any has joined.</summary>
    public void Restrict() => _all.RemoveAll(seed => seed.IsFromLink && !_isChosen);

    /// <summary>Lets web seeds join if there is room. The caller must start those returned, outside the gate.</summary>
    public IReadOnlyList<Peer> Join(long now)
    {
        if (_all.Count == 0 || swarm.IsClosed || swarm.Context.WebSeeds is not { } client
            || swarm.Table is not { Info: var info, Have.IsFull: false })
            return [];
        List<Peer>? joined = null;
        var active = _all.Count(static seed => seed.State == WebSeedState.Active);
        foreach (var seed in _all)
        {
            if (active >= MostActive)
                break;
            if (!seed.IsReady(now))
                continue;
            var peer = swarm.Join(seed.Open(client, info), listening: null, PeerSources.Link);
            peer.Pipeline.Widen(Math.Clamp(info.PieceLength / PieceSlot.BlockSize, FirstBlocks, MostFirstBlocks), RequestPipeline.Cap);
            seed.OnJoined(peer);
            (joined ??= []).Add(peer);
            active++;
        }

        return joined ?? [];
    }

    /// <summary>Call when a web seed's connection has ended.</summary>
    public void OnPeerLeft(Peer peer, long now)
    {
        if (swarm.Table is { } table)
            _all.Find(seed => seed.OnPeerLeft(peer, table.Info, now));
    }

    /// <summary>Called when a peer sent bad blocks. True if it was a web seed.</summary>
    public bool Blame(int number) => _all.Exists(seed => seed.Blame(number));

    /// <summary>The state of all, in the order in which they were named.</summary>
    public IReadOnlyList<WebSeedStatus> List() => _all.ConvertAll(static seed => seed.ToStatus());

    /// <summary>Their addresses.</summary>
    public IReadOnlyList<Uri> Addresses => _all.ConvertAll(static seed => seed.Address);

    /// <summary>Why none of them serves; null = one does, or there are none.</summary>
    public string? Trouble => _all.Count == 0 || _all.Exists(static seed => seed.State is WebSeedState.Active or WebSeedState.Spare) ? null
        : _all[0].ToStatus() is { Reason: { } reason } first ? $"The web seed {first.Address} is not asked: {reason}." : null;
}
