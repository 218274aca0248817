using System.Net;
using NzbDav.Content.Rates;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.WebSeeds;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// One connected peer as its torrent sees it. Owns the state of choking and interest in both directions, the pieces that the peer has, and
/// the requests to it. A change of that state also changes what depends on it: the torrent's count of each piece, the state of a block, and
/// the messages to the peer. Used under the torrent's lock unless stated otherwise.
/// </summary>
internal sealed partial class Peer : IPeerHandler
{
    /// <summary>How much longer a block may stay in the socket's buffer, in seconds: short compared with a round trip.</summary>
    private const double GatherSeconds = 0.008;

    private const long PauseTicks = 50 * TimeSpan.TicksPerMillisecond;

    /// <summary>Most messages without effect per second: five times as many requests as a seek may withdraw at once.</summary>
    private const int MaxIdleMessages = 5 * RequestPipeline.Cap;

    private readonly IPeerOwner _owner;
    private readonly BlockReceiver _receiver;
    private bool _isDirty;
    private int _idleMessages;
    private long _recentPayload;

    /// <param name="owner">The torrent.</param>
    /// <param name="transport">Its connection.</param>
    /// <param name="number">From 1; never reused in this torrent.</param>
    /// <param name="listening">Address at which it can be dialled; null = not known.</param>
    /// <param name="sources">How its address was learned, as of the connection.</param>
    /// <param name="byAlias">True if it uses the torrent's alias, as far as is known before the handshake.</param>
    public Peer(IPeerOwner owner, ITransport transport, int number, IPEndPoint? listening, PeerSources sources, bool byAlias)
    {
        _owner = owner;
        _receiver = new BlockReceiver(owner, this);
        Number = number;
        Remote = transport.Remote;
        Listening = listening;
        Sources = sources;
        ByAlias = byAlias;
        (Encryption, IsUtp) = (transport.Encryption, transport.IsUtp);
        HandshakeSent = transport.HandshakeSent;
        IsWebSeed = transport is WebSeedTransport;
        Connection = new PeerConnection(transport, this, owner.OutboxBudget);
        Uploads = new UploadQueue(owner, this);
        Joined = LastReceivedAt = owner.Now;
        DownRate.Look(TimeSpan.FromTicks(Joined), 0);
        UpRate.Look(TimeSpan.FromTicks(Joined), 0);
    }

    public int Number { get; }

    public IPEndPoint Remote { get; }

    /// <summary>Address at which it can be dialled; null = not known.</summary>
    public IPEndPoint? Listening { get; private set; }

    public PeerConnection Connection { get; }

    /// <summary>Messages to it. Thread-safe.</summary>
    public Outbox Outbox => Connection.Outbox;

    /// <summary>Its requests to us.</summary>
    public UploadQueue Uploads { get; }

    /// <summary>Its id; default before the handshake.</summary>
    public InfoHash Id { get; private set; }

    /// <summary>True once its handshake has been accepted.</summary>
    public bool HandshakeDone { get; private set; }

    /// <summary>True if it supports BEP 6.</summary>
    public bool Fast { get; private set; }

    /// <summary>True if it supports BEP 10.</summary>
    public bool Extensions { get; private set; }

    /// <summary>True if it uses the torrent's alias: see <see cref="TorrentInfo.Alias"/>.</summary>
    public bool ByAlias { get; private set; }

    /// <summary>Its extension handshake (BEP 10); default before it arrives.</summary>
    public ExtensionHandshake ExtensionHandshake { get; private set; }

    /// <summary>State of peer exchange with it.</summary>
    public ExchangeRecord Exchange => field ??= new ExchangeRecord();

    /// <summary>Our requests to it for the info dictionary; null until there is one.</summary>
    public MetadataSource? Metadata { get; private set; }

    /// <summary>Its requests for the info dictionary.</summary>
    public MetadataQueue MetadataRequests => field ??= new MetadataQueue(_owner, this);

    /// <summary>True once the connection has ended.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Why the connection ended.</summary>
    public string? DisconnectReason { get; private set; }

    /// <summary>
    /// True for a web seed (see <see cref="WebSeedTransport"/>): it has no address, does not count as a connection, and is no member of the
    /// swarm.
    /// </summary>
    public bool IsWebSeed { get; }

    /// <summary>True if its connection uses uTP, not TCP.</summary>
    public bool IsUtp { get; }

    /// <summary>Encryption of its connection.</summary>
    public PeerEncryption Encryption { get; }

    /// <summary>True if our handshake was sent with the first bytes of the connection.</summary>
    public bool HandshakeSent { get; }

    /// <summary>How its address was learned when the connection was made.</summary>
    public PeerSources Sources { get; }

    /// <summary>True if it dialled us.</summary>
    public bool IsIncoming => (Sources & PeerSources.Incoming) != 0;

    /// <summary>When it joined, in ticks.</summary>
    public long Joined { get; }

    /// <summary>When it last sent anything, in ticks.</summary>
    public long LastReceivedAt { get; private set; }

    /// <summary>Bytes that its next receive waits for; 1 = any.</summary>
    public int Gathers { get; private set; } = 1;

    /// <summary>Call when the address at which it can be dialled has become known.</summary>
    public void SetListening(IPEndPoint listening) => Listening = listening;

    /// <summary>
    /// Call when its handshake has arrived and names this torrent. <see cref="AcceptHandshake"/> follows, or the connection ends.
    /// </summary>
    public void Identify(InfoHash id) => Id = id;

    /// <summary>Accepts its handshake: the connection is in use from now on.</summary>
    /// <param name="handshake">Its handshake.</param>
    /// <param name="byAlias">True if it names the torrent by its alias.</param>
    public void AcceptHandshake(in Handshake handshake, bool byAlias)
    {
        Pipeline.SeedRtt(_owner.Now - Joined);
        (Fast, Extensions, ByAlias) = (handshake.Fast, handshake.Extensions, byAlias);
        HandshakeDone = true;
    }

    /// <summary>Call when its extension handshake has arrived. It may send several; this one includes what earlier ones said.</summary>
    public void OnExtensionHandshake(ExtensionHandshake handshake)
    {
        ExtensionHandshake = handshake;
        if (handshake.RequestQueue > 0)
            Pipeline.PeerQueue = Math.Min(handshake.RequestQueue, RequestPipeline.Cap);
    }

    /// <summary>Call when it says that it downloads nothing, or does so again (libtorrent's message).</summary>
    public void OnUploadOnly(bool isUploadOnly) => ExtensionHandshake = ExtensionHandshake with { IsUploadOnly = isUploadOnly };

    /// <summary>Returns <see cref="Metadata"/>, and creates it if necessary.</summary>
    public MetadataSource UseMetadata() => Metadata ??= new MetadataSource();

    /// <summary>Call when everything from one receive call has been handled.</summary>
    public void OnReceived(long now) => LastReceivedAt = now;

    /// <summary>
    /// Call when the connection has ended. A partly received block is lost, its requests are dropped, and its pieces no longer count.
    /// </summary>
    public void Leave(string reason, long now)
    {
        IsClosed = true;
        DisconnectReason = reason;
        _receiver.Abandon();
        DropRequests(now);
        UncountPieces();
    }

    /// <summary>
    /// Counts a message without effect: each costs a step under the torrent's lock. Returns the reason if the peer must be disconnected,
    /// otherwise null.
    /// </summary>
    public string? CountIdleMessage() => ++_idleMessages > MaxIdleMessages ? "The peer floods us with messages that have no effect." : null;

    /// <summary>Called once a second: starts the count of <see cref="CountIdleMessage"/> again.</summary>
    public void ResetIdleMessages() => _idleMessages = 0;

    /// <summary>Call when its outbox has something to send.</summary>
    public void MarkDirty()
    {
        if (_isDirty)
            return;
        _isDirty = true;
        _owner.AddDirty(this);
    }

    /// <summary>Call before its outbox is flushed, which happens outside the lock.</summary>
    public void BeginFlush()
    {
        _isDirty = false;
        Gather();
    }

    /// <summary>
    /// Lets its next receive collect a few blocks at once if more than enough are on their way: a wake-up costs more than the blocks
    /// themselves.
    /// </summary>
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

    /// <summary>Lets any byte end the wait after a silence: it may be a message that no more blocks will follow.</summary>
    public void StopGathering(long now)
    {
        if (Gathers == 1 || now - LastReceivedAt < PauseTicks)
            return;
        Gathers = 1;
        Connection.Gather(1);
    }

    /// <summary>Releases memory that it used while busy, if nothing is expected from it.</summary>
    public void Trim(long now)
    {
        if (!IsIdle || _receiver.IsWriting)
            return;
        _requests.Trim();
        _withdrawn.Trim(now);
        Outbox.Trim();
        _receiver.Trim();
    }

    // Events of its connection.

    /// <inheritdoc/>
    public int MostMessage => _owner.MostMessage;

    /// <inheritdoc/>
    public bool IsIdle => _requests.Count == 0;

    /// <inheritdoc/>
    public string? OnHandshake(in Handshake handshake) => _owner.OnHandshake(this, handshake);

    /// <inheritdoc/>
    public string? OnMessage(MessageId id, ReadOnlySpan<byte> payload) => _owner.OnMessage(this, id, payload);

    /// <inheritdoc/>
    public string? OnBlock(int piece, int begin, int length) => _receiver.Begin(piece, begin, length);

    /// <inheritdoc/>
    public void OnBlockBytes(ReadOnlySpan<byte> bytes) => _receiver.Receive(bytes);

    /// <inheritdoc/>
    public void OnBatch(int received, int protocol) => _owner.OnBatch(this, received, protocol);

    /// <inheritdoc/>
    public void OnClosed(string reason) => _owner.OnClosed(this, reason);

    // Payload in both directions.

    /// <summary>Payload it sent since the last choke round.</summary>
    public long RoundDownloaded { get; private set; }

    /// <summary>Payload we sent it since the last choke round.</summary>
    public long RoundUploaded { get; private set; }

    /// <summary>Payload it sent on request since it connected, in bytes.</summary>
    public long Downloaded { get; private set; }

    /// <summary>Payload we sent it since it connected, in bytes.</summary>
    public long Uploaded { get; private set; }

    /// <summary>Rate of <see cref="Downloaded"/>.</summary>
    public RecentRate DownRate { get; } = new();

    /// <summary>Rate of <see cref="Uploaded"/>.</summary>
    public RecentRate UpRate { get; } = new();

    /// <summary>Worth of the connection: payload in both directions, halved with each choke round.</summary>
    public long RecentPayload => _recentPayload + RoundDownloaded + RoundUploaded;

    /// <summary>Counts bytes of requested blocks that are about to be sent to it.</summary>
    public void AddUploaded(int bytes)
    {
        RoundUploaded += bytes;
        Uploaded += bytes;
    }

    /// <summary>Ends a choke round.</summary>
    public void EndRound()
    {
        _recentPayload = RecentPayload / 2;
        RoundDownloaded = RoundUploaded = 0;
    }

    private void AddDownloaded(int bytes)
    {
        RoundDownloaded += bytes;
        Downloaded += bytes;
        SnubbedSince = null;
    }
}
