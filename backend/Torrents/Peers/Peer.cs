using System.Net;
using NzbDav.Content.Rates;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.WebSeeds;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>One connected peer as its torrent sees it. Used under the torrent's lock unless stated otherwise.</summary>
internal sealed class Peer : IPeerHandler
{
    /// <summary>How much longer a block may stay in the socket, in seconds: short compared with a round trip.</summary>
    private const double GatherSeconds = 0.008;

    private const long PauseTicks = 50 * TimeSpan.TicksPerMillisecond;

    /// <summary>Most messages without effect in a second: five times as many as a seek may withdraw requests at once.</summary>
    private const int MaxIdleMessages = 5 * RequestPipeline.Cap;

    /// <summary>Most pieces that a peer may allow while it chokes us: BEP 6 suggests ten.</summary>
    private const int MostAllowed = 32;

    private readonly IPeerOwner _owner;
    private readonly IBlockReceiver<Peer> _blocks;
    private byte[]? _spill;
    private int _idleMessages;
    private List<int>? _allowed;
    private long _recentPayload;

    /// <param name="owner">The torrent.</param>
    /// <param name="transport">Its connection.</param>
    /// <param name="number">From 1; never reused in this torrent.</param>
    /// <param name="listening">Address at which it can be dialled; null = not known.</param>
    /// <param name="sources">How its address was learned when the connection was made.</param>
    public Peer(IPeerOwner owner, ITransport transport, int number, IPEndPoint? listening, PeerSources sources)
    {
        _owner = owner;
        _blocks = owner.Blocks;
        Number = number;
        Remote = transport.Remote;
        Listening = listening;
        Sources = sources;
        (Encryption, IsUtp) = (transport.Encryption, transport.IsUtp);
        HandshakeSent = transport.HandshakeSent;
        IsWebSeed = transport is WebSeedTransport;
        Connection = new PeerConnection(transport, this, owner.OutboxBudget);
        Uploads = new UploadQueue(owner, this);
    }

    public int Number { get; }

    public IPEndPoint Remote { get; }

    public IPEndPoint? Listening { get; set; }

    public PeerConnection Connection { get; }

    /// <summary>Messages to it. Thread-safe.</summary>
    public Outbox Outbox => Connection.Outbox;

    public UploadQueue Uploads { get; }

    public RequestRing Requests { get; } = new();

    public RequestPipeline Pipeline { get; } = new();

    /// <summary>Its rate when its last block arrived, in bytes per second.</summary>
    public double Rate => Pipeline.Rate;

    /// <summary>It supports BEP 6.</summary>
    public bool Fast { get; set; }

    /// <summary>It supports BEP 10.</summary>
    public bool Extensions { get; set; }

    /// <summary>Its id; default before the handshake.</summary>
    public InfoHash Id { get; set; }

    /// <summary>The handshake is done.</summary>
    public bool HandshakeDone { get; set; }

    /// <summary>Its extension handshake (BEP 10); default before it arrives.</summary>
    public ExtensionHandshake ExtensionHandshake { get; set; }

    /// <summary>State of peer exchange with it; null if it does not support that.</summary>
    public ExchangeRecord? Exchange { get; set; }

    /// <summary>Our requests to it for the info dictionary; null if there were none yet.</summary>
    public MetadataSource? Metadata { get; set; }

    /// <summary>Its requests for the info dictionary.</summary>
    public MetadataQueue MetadataRequests => field ??= new MetadataQueue(_owner, this);

    /// <summary>The pieces it has; null until it has sent them, and while we lack the metadata.</summary>
    public BitField? Pieces { get; set; }

    /// <summary>The bit field it sent before we knew how many pieces there are.</summary>
    public byte[]? EarlyPieces { get; set; }

    /// <summary>
    /// Pieces it announced one by one before we knew how many there are: a bit for each, in wire order, up to the highest.
    /// </summary>
    public byte[] EarlyHaves { get; set; } = [];

    /// <summary>Number of announcements of pieces that were already known.</summary>
    public int Repeats { get; set; }

    /// <summary>It has everything.</summary>
    public bool HasAll { get; set; }

    /// <summary>It announced pieces together, in a bit field or as "have all"; otherwise it announces them one by one.</summary>
    public bool NamedMany { get; set; }

    /// <summary>Finds out whether it is a super seed, from how it announces pieces one by one.</summary>
    public ShownRounds Rounds { get; } = new();

    /// <summary>It chokes us: it does not answer requests.</summary>
    public bool PeerChoking { get; set; } = true;

    /// <summary>It wants pieces from us.</summary>
    public bool PeerInterested { get; set; }

    /// <summary>We choke it: we do not answer its requests.</summary>
    public bool AmChoking { get; set; } = true;

    /// <summary>The connection has ended.</summary>
    public bool IsClosed { get; set; }

    /// <summary>
    /// See <see cref="WebSeedTransport"/>: it has no address, does not count as a connection, and is no member of the swarm.
    /// </summary>
    public bool IsWebSeed { get; }

    /// <summary>It uses the torrent's alias: see <see cref="TorrentInfo.Alias"/>.</summary>
    public bool ByAlias { get; set; }

    /// <summary>True while it waits to be flushed.</summary>
    public bool IsDirty { get; set; }

    /// <summary>True when it kept us waiting too long: it gets few requests until it sends something.</summary>
    public bool IsSnubbed { get; set; }

    /// <summary>When it joined, in ticks.</summary>
    public long Joined { get; init; }

    /// <summary>When it last sent anything, in ticks.</summary>
    public long LastReceivedAt { get; set; }

    /// <summary>When its last block came, or the first request after a time with none outstanding; in ticks.</summary>
    public long LastBlock { get; set; }

    /// <summary>How its address was learned when the connection was made.</summary>
    public PeerSources Sources { get; }

    /// <summary>Encryption of its connection.</summary>
    public PeerEncryption Encryption { get; }

    /// <summary>Our handshake was sent with the first bytes of the connection.</summary>
    public bool HandshakeSent { get; }

    /// <summary>True when it dialled us.</summary>
    public bool IsIncoming => (Sources & PeerSources.Incoming) != 0;

    /// <summary>The choke round in which it last got the optimistic slot; 0 = never.</summary>
    public long LastOptimisticRound { get; set; }

    /// <summary>The last piece requested from it in the background; −1 = none.</summary>
    public int Background { get; set; } = -1;

    /// <summary>Bytes it sent that were never requested from it.</summary>
    public long UnrequestedBytes { get; set; }

    /// <summary>Requests to it that were withdrawn; their blocks may still arrive.</summary>
    public WithdrawnRequests Withdrawn { get; } = new();

    /// <summary>
    /// Counts a message without effect: each costs a step under the torrent's lock. Returns the reason if the peer must be disconnected,
    /// otherwise null.
    /// </summary>
    public string? CountIdleMessage() => ++_idleMessages > MaxIdleMessages ? "The peer floods us with messages that have no effect." : null;

    /// <summary>Called once a second: starts the count of <see cref="CountIdleMessage"/> again.</summary>
    public void ResetIdleMessages() => _idleMessages = 0;

    /// <summary>It has unchoked us at least once.</summary>
    public bool WasUnchoked { get; set; }

    /// <summary>Why the connection ended.</summary>
    public string? DisconnectReason { get; set; }

    /// <summary>Requests it rejected since its last block although they had not been cancelled.</summary>
    public int Rejects { get; set; }

    /// <summary>The last urgent round in which its other requests were cancelled to make room.</summary>
    public long LastUrgentRound { get; set; }

    /// <summary>Bytes that its next receive waits for; 1 = any.</summary>
    public int Gathers { get; private set; } = 1;

    // The block that is arriving. Used by the receive loop.
    public PieceSlot? Slot { get; private set; }

    public int Block { get; set; }

    public int BlockOffset { get; set; }

    public int BlockLength { get; set; }

    public int BlockPiece { get; set; }

    /// <summary>
    /// True while another peer is sending the same block: this copy is collected in <see cref="Spill"/> until it is complete.
    /// </summary>
    public bool Spills { get; set; }

    /// <summary>True when the block was never requested from this peer. It is discarded.</summary>
    public bool IsUnasked { get; set; }

    /// <summary>True when the block, or the rest of it, is discarded because we already have it.</summary>
    public bool IsDuplicate { get; set; }

    /// <summary>Buffer for a block that another peer is sending at the same time.</summary>
    public byte[] Spill => _spill ??= new byte[PieceSlot.BlockSize];

    /// <summary>Requests whose block is expected, not counting cancelled ones.</summary>
    public int Outstanding => Requests.Count - Requests.Cancelled;

    /// <summary>Lets its next receive collect a few blocks at once, if more than enough are on their way: a wake-up costs more than the
    /// blocks themselves.</summary>
    public void Gather()
    {
        var bytes = Math.Min(Rate * GatherSeconds, (double)Outstanding * PieceSlot.BlockSize / 4);
        Gathers = bytes switch
        {
            >= 4 * PieceSlot.BlockSize => 4 * PieceSlot.BlockSize,
            >= 2 * PieceSlot.BlockSize => 2 * PieceSlot.BlockSize,
            _ => 1,
        };
        Connection.Gather(Gathers);
    }

    /// <summary>After a silence, any byte ends the wait: it may be a message that no more blocks will follow.</summary>
    public void StopGathering(long now)
    {
        if (Gathers == 1 || now - LastReceivedAt < PauseTicks)
            return;
        Gathers = 1;
        Connection.Gather(1);
    }

    /// <inheritdoc/>
    public bool IsIdle => Requests.Count == 0;

    /// <summary>Releases memory used while it was busy, if nothing is expected of it.</summary>
    public void Trim(long now)
    {
        if (!IsIdle || Slot is not null)
            return;
        Requests.Trim();
        Withdrawn.Trim(now);
        Outbox.Trim();
        _spill = null;
    }

    /// <inheritdoc/>
    public int MostMessage => _owner.MostMessage;

    public bool Has(int piece) => HasAll || (Pieces?[piece] ?? false);

    /// <summary>Sets where its next block is written. Call under the torrent's lock, like <see cref="EndWriting"/>.</summary>
    public void BeginWriting(PieceSlot slot)
    {
        slot.BeginWriting();
        Slot = slot;
    }

    /// <summary>Ends <see cref="BeginWriting"/>: the block is complete or discarded.</summary>
    public void EndWriting(PieceTable table)
    {
        if (Slot is not { } slot)
            return;
        Slot = null;
        slot.EndWriting();
        table.Recycle(slot);
    }

    /// <summary>Its <see cref="Eta"/> at the time of the last forecast.</summary>
    public double Forecast { get; set; }

    /// <summary>Seconds until a block requested now would arrive, as an estimate.</summary>
    public double Eta(double otherwise)
    {
        var rate = Rate > 0 ? Rate : otherwise;
        return Pipeline.RoundTrip + ((Requests.Count + 1) * PieceSlot.BlockSize / rate);
    }

    /// <inheritdoc/>
    public string? OnHandshake(in Handshake handshake) => _owner.OnHandshake(this, handshake);

    /// <inheritdoc/>
    public string? OnMessage(MessageId id, ReadOnlySpan<byte> payload) => _owner.OnMessage(this, id, payload);

    /// <inheritdoc/>
    public string? OnBlock(int piece, int begin, int length) => _blocks.Begin(this, piece, begin, length);

    /// <inheritdoc/>
    public void OnBlockBytes(ReadOnlySpan<byte> bytes) => _blocks.Receive(this, bytes);

    /// <inheritdoc/>
    public void OnBatch(int received, int protocol) => _owner.OnBatch(this, received, protocol);

    /// <inheritdoc/>
    public void OnClosed(string reason) => _owner.OnClosed(this, reason);

    // Exceptions to choking in both directions, and suggestions (BEP 6), as well as our declared interest.

    /// <summary>True if some piece can be requested from it: see <see cref="Serves"/>.</summary>
    public bool CanRequest => (!PeerChoking || _allowed is { Count: > 0 }) && Pieces is not null && !IsClosed && !IsSnubbed;

    /// <summary>True when it has a piece and serves it: it does not choke us, or allows this piece nevertheless (BEP 6).</summary>
    public bool Serves(int piece) => Has(piece) && (!PeerChoking || _allowed?.Contains(piece) == true);

    /// <summary>Pieces that it serves although it chokes us.</summary>
    public IReadOnlyList<int> Allowed => _allowed ?? [];

    /// <summary>
    /// Notes that it serves a piece although it chokes us. False if that is already known, or if it has allowed too many.
    /// </summary>
    public bool TryAllow(int piece)
    {
        _allowed ??= [];
        if (_allowed.Count >= MostAllowed || _allowed.Contains(piece))
            return false;
        _allowed.Add(piece);
        return true;
    }

    /// <summary>Revokes what <see cref="TryAllow"/> noted.</summary>
    public void Disallow(int piece) => _allowed?.Remove(piece);

    /// <summary>The piece that it suggested last (BEP 6); −1 = none.</summary>
    public int Suggested { get; set; } = -1;

    /// <summary>Pieces that we serve it although it is choked (BEP 6); null until they have been chosen.</summary>
    public int[]? Granted { get; set; }

    /// <summary>Bytes of <see cref="Granted"/> that we still serve while it is choked.</summary>
    public long GrantedBytes { get; set; }

    /// <summary>True when we declared interest.</summary>
    public bool AmInterested { get; set; }

    /// <summary>True once it had everything and lost a piece: from then on it is counted piece by piece.</summary>
    public bool LosesPieces { get; set; }

    /// <summary>True if a block is served although the peer is choked (BEP 6): each of a few pieces about once. Counts its bytes.</summary>
    public bool TryGrant(int piece, int length)
    {
        if (Granted is not { } granted || GrantedBytes < length || !granted.Contains(piece))
            return false;
        GrantedBytes -= length;
        return true;
    }

    /// <summary>Notes that its outbox has something to send.</summary>
    public void MarkDirty() => _owner.MarkDirty(this);

    // Payload in both directions.

    /// <summary>Its connection is by uTP, not by TCP.</summary>
    public bool IsUtp { get; }

    /// <summary>Payload it sent since the last choke round.</summary>
    public long RoundDownloaded { get; private set; }

    /// <summary>Payload we sent it since the last choke round.</summary>
    public long RoundUploaded { get; private set; }

    /// <summary>Payload it sent on request, in bytes.</summary>
    public long Downloaded { get; private set; }

    /// <summary>Payload we sent it, in bytes.</summary>
    public long Uploaded { get; private set; }

    /// <summary>
    /// When it first kept us waiting after its last block, in ticks; null = it has not. Unlike <see cref="Peer.IsSnubbed"/>, it does not
    /// end when the peer gets another chance.
    /// </summary>
    public long? SnubbedSince { get; set; }

    /// <summary>Rate of <see cref="Downloaded"/>.</summary>
    public RecentRate DownRate { get; } = new();

    /// <summary>Rate of <see cref="Uploaded"/>.</summary>
    public RecentRate UpRate { get; } = new();

    /// <summary>Counts a block that it sent.</summary>
    public void AddDownloaded(int bytes)
    {
        RoundDownloaded += bytes;
        Downloaded += bytes;
        SnubbedSince = null;
    }

    /// <summary>Counts bytes of requested blocks that are about to be sent to it.</summary>
    public void AddUploaded(int bytes)
    {
        RoundUploaded += bytes;
        Uploaded += bytes;
    }

    /// <summary>Value of the connection: payload in both directions, halved with each choke round.</summary>
    public long RecentPayload => _recentPayload + RoundDownloaded + RoundUploaded;

    /// <summary>Ends a choke round.</summary>
    public void EndRound()
    {
        _recentPayload = RecentPayload / 2;
        RoundDownloaded = RoundUploaded = 0;
    }
}
