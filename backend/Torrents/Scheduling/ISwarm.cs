using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Telemetry;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>A torrent's swarm, as its parts see it. Members are called and changed under its gate unless stated otherwise.</summary>
internal interface ISwarm : IServedTorrent, IConnectionHolder
{
    /// <summary>What the engine's torrents share. Immutable.</summary>
    SwarmContext Context { get; }

    /// <summary>The torrent. Immutable.</summary>
    InfoHash Hash { get; }

    /// <summary>Needs no gate.</summary>
    SwarmCounters Counters { get; }

    /// <summary>Needs no gate.</summary>
    TorrentMetrics Metrics { get; }

    /// <summary>The readers and their windows.</summary>
    SwarmReaders Readers { get; }

    /// <summary>Connected peers.</summary>
    List<Peer> Peers { get; }

    /// <summary>Known addresses.</summary>
    PeerBook Book { get; }

    /// <summary>Null until the torrent is described.</summary>
    RequestScheduler? Scheduler { get; }

    /// <summary>True once it is being closed.</summary>
    bool IsClosed { get; }

    /// <summary>
    /// Why the rest of the torrent is no longer fetched although it was wanted; null while it is fetched, or was not wanted.
    /// </summary>
    string? BackgroundEnded { get; }

    /// <summary>Our handshake, with the torrent's hash, or with its alias if it has one. Thread-safe.</summary>
    Handshake GreetingBy(bool alias);

    /// <summary>Notes that a peer's outbox has something to send.</summary>
    void MarkDirty(Peer peer);

    /// <summary>Sends what was added to outboxes. Outside the gate.</summary>
    void Flush();

    /// <summary>Notes that the peers available to readers changed: readers' requests are checked once, at the end of the step.</summary>
    void HurrySoon();

    /// <summary>Notes that all peers can be sent more requests: this is done once, at the end of the step.</summary>
    void RefillSoon();

    /// <summary>Notes that addresses became known in this step: they are dialled after it.</summary>
    void DialSoon();

    /// <summary>More is wanted than before: declares interest in peers that have it.</summary>
    void DeclareInterest();

    /// <summary>Adds a peer with a new connection.</summary>
    Peer Join(ITransport transport, IPEndPoint? listening, PeerSources sources, bool byAlias = false);

    /// <summary>Its web seeds, for display.</summary>
    IReadOnlyList<WebSeedStatus> ListWebSeeds();

    /// <summary>Why no web seed serves; null = one does, or there are none.</summary>
    string? WebSeedTrouble { get; }

    /// <summary>Sends our handshake and starts receiving. Outside the gate.</summary>
    void Start(Peer peer, ReadOnlyMemory<byte> received);

    /// <summary>Counts how many peers may soon be able to serve.</summary>
    void CountExpected();

    /// <summary>Completes the closing of the torrent if no peer or dial is left.</summary>
    void EndIfEmpty();

    /// <summary>A peer sent the port of its DHT node.</summary>
    void MeetNode(Peer peer, int port);

    /// <summary>All blocks of a piece have arrived: queues its hash check.</summary>
    void Verify(PieceSlot slot, long now);

    /// <summary>The hash of a piece has been checked. Called by a background worker. Outside the gate.</summary>
    void Verified(PieceSlot slot, bool isGood);

    /// <summary>A piece was found on disk.</summary>
    void NoteFound(int piece);

    /// <summary>A piece may no longer be held.</summary>
    void NoteDropped(int piece);

    /// <summary>A good piece had to make room on disk: trackers are not told that it is missing again.</summary>
    void NoteEvicted(int piece);

    /// <summary>
    /// Stops fetching the rest of the torrent: further pieces would only push out earlier ones, or be lost when memory is short.
    /// </summary>
    /// <param name="reason">Shown to the user.</param>
    /// <param name="isFull">True if it would continue with more room on the disk.</param>
    void EndBackground(string reason, bool isFull);

    /// <summary>See <see cref="Swarm.Describe"/>. Outside the gate.</summary>
    void Describe(TorrentInfo info);

    /// <summary>The info dictionary cannot be used. No other peer can send a better one, because it has the torrent's hash.</summary>
    void CannotDescribe(string? why);
}
