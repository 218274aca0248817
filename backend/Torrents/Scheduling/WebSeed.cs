using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.WebSeeds;

namespace NzbDav.Torrents.Scheduling;

/// <summary>A web seed of a torrent, over all its connections. Used under the torrent's lock.</summary>
/// <param name="address">The address, as it was named.</param>
/// <param name="isFromLink">True if a magnet link named it.</param>
internal sealed class WebSeed(Uri address, bool isFromLink)
{
    /// <summary>Pause after a connection that delivered data, in ticks; doubled by each failure since.</summary>
    private static readonly long FirstPause = TimeSpan.TicksPerSecond;
    private static readonly long LongestPause = 10 * TimeSpan.TicksPerMinute;
    private readonly HashSet<int> _missing = [];
    private readonly List<int> _numbers = [];
    private WebSeedFiles? _files;
    private Func<WebSeedFault?>? _fault;
    private Peer? _peer;
    private long _past;
    private long _notBefore;
    private int _failures;
    private string? _reason;

    public Uri Address => address;

    public bool IsFromLink => isFromLink;

    /// <summary>What it is doing.</summary>
    public WebSeedState State { get; private set; }

    /// <summary>True if it may be asked now.</summary>
    public bool IsReady(long now) => State == WebSeedState.Spare || (State == WebSeedState.Waiting && now >= _notBefore);

    /// <summary>Opens a connection that looks like one to a peer.</summary>
    public WebSeedTransport Open(WebSeedClient client, TorrentInfo info)
    {
        State = WebSeedState.Active;
        _files ??= new WebSeedFiles(client, address, info);
        var transport = new WebSeedTransport(_files, client.Time, Pieces(info));
        _fault = () => transport.Fault;
        return transport;
    }

    /// <summary>Call when it has joined the torrent as this peer.</summary>
    public void OnJoined(Peer peer)
    {
        _peer = peer;
        _numbers.Add(peer.Number);
    }

    /// <summary>Call when a peer's connection has ended. False if the peer is another.</summary>
    public bool OnPeerLeft(Peer peer, TorrentInfo info, long now)
    {
        if (peer != _peer)
            return false;
        var fault = _fault!();
        _past += peer.Downloaded;
        _failures = peer.Downloaded > 0 ? 0 : _failures + 1;
        (_peer, _fault) = (null, null);
        if (State == WebSeedState.Dropped)
            return true;
        if (fault is { Blame: WebSeedBlame.MissingFile } && _missing.Add(fault.File) && Pieces(info)!.AsSpan().ContainsAnyExcept((byte)0))
        {
            // Tried again at once, for the other files.
            (State, _notBefore, _reason) = (WebSeedState.Waiting, now, $"it does not have all files: {fault.Reason}");
            return true;
        }

        if (fault is { Blame: not WebSeedBlame.Transient })
        {
            Drop(fault.Reason);
            return true;
        }

        var pause = fault?.RetryIn?.Ticks ?? Math.Min(LongestPause, FirstPause << Math.Min(_failures, 16));
        (State, _notBefore) = (WebSeedState.Waiting, now + Math.Clamp(pause, 0, TimeSpan.TicksPerDay));
        _reason = fault?.Reason ?? peer.DisconnectReason;
        return true;
    }

    /// <summary>
    /// Call when a peer sent bad blocks. True if it was this web seed, which is then not used again: its files are not the torrent's.
    /// </summary>
    public bool Blame(int number)
    {
        if (!_numbers.Contains(number))
            return false;
        Drop("what it sends is not the torrent's content");
        _peer?.Connection.Close("The web seed sent bad blocks.");
        return true;
    }

    /// <summary>Ends its requests, because the user removed it.</summary>
    public void Remove() => _peer?.Connection.Close("The web seed was removed.");

    /// <summary>Its state, for display.</summary>
    public WebSeedStatus ToStatus() => new(WebSeedStatus.Shown(address), State)
    {
        Reason = State is WebSeedState.Waiting or WebSeedState.Dropped ? _reason : null,
        DownRate = _peer?.DownRate.Value ?? 0,
        Downloaded = _past + (_peer?.Downloaded ?? 0),
        Pending = _peer?.Outstanding ?? 0,
    };

    private void Drop(string reason) => (State, _reason) = (WebSeedState.Dropped, reason);

    /// <summary>The pieces that it has, in wire order; null = all.</summary>
    private byte[]? Pieces(TorrentInfo info)
    {
        if (_missing.Count == 0)
            return null;
        var pieces = new BitField(info.PieceCount);
        pieces.SetAll();
        foreach (var file in _missing.Select(index => info.Files[index]).Where(static file => file.Length > 0))
        {
            var last = (int)((file.Offset + file.Length - 1) / info.PieceLength);
            for (var piece = (int)(file.Offset / info.PieceLength); piece <= last; piece++)
                pieces.Clear(piece);
        }

        var bytes = new byte[BitField.Bytes(info.PieceCount)];
        pieces.Write(bytes);
        return bytes;
    }
}
