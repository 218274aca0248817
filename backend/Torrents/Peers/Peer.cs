using System.Net;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>One connected peer as its torrent sees it. Everything here is used under the torrent's lock, but where it says otherwise.</summary>
internal sealed partial class Peer : IPeerHandler
{
    /// <summary>A block may lie in the socket so much longer: little beside any round trip.</summary>
    private const double GatherSeconds = 0.008;

    private const long PauseTicks = 50 * TimeSpan.TicksPerMillisecond;

    /// <summary>Five times what a seek may withdraw at once, in a second.</summary>
    private const int MostNoise = 5 * RequestPipeline.Cap;

    private const long MostForgiven = (long)RequestPipeline.Cap * PieceSlot.BlockSize;

    private readonly IPeerOwner _owner;
    private readonly IBlockReceiver _blocks;
    private byte[]? _spill;
    private int _noise;

    /// <param name="owner">Its torrent.</param>
    /// <param name="transport">Its connection.</param>
    /// <param name="number">From 1, never used again in this torrent.</param>
    /// <param name="listening">Where it can be dialled; null = not known.</param>
    /// <param name="sources">How its address was learned when the connection was made.</param>
    public Peer(IPeerOwner owner, ITransport transport, int number, IPEndPoint? listening, PeerSources sources)
    {
        _owner = owner;
        _blocks = owner.Blocks;
        Number = number;
        Remote = transport.Remote;
        Listening = listening;
        Sources = sources;
        Encryption = transport.Encryption;
        IsToldOurs = transport.IsGreeted;
        Connection = new PeerConnection(transport, this);
        Uploads = new UploadQueue(owner, this);
    }

    public int Number { get; }

    public IPEndPoint Remote { get; }

    public IPEndPoint? Listening { get; set; }

    public PeerConnection Connection { get; }

    public Outbox Outbox => Connection.Outbox;

    public UploadQueue Uploads { get; }

    public RequestRing Requests { get; } = new();

    public RequestPipeline Pipeline { get; } = new();

    /// <summary>Its rate when a block came last, in bytes per second.</summary>
    public double Rate => Pipeline.Rate;

    /// <summary>It speaks BEP 6.</summary>
    public bool Fast { get; set; }

    /// <summary>It speaks BEP 10.</summary>
    public bool Extensions { get; set; }

    /// <summary>Its id; default before the handshake.</summary>
    public InfoHash Id { get; set; }

    /// <summary>The handshake is done.</summary>
    public bool IsGreeted { get; set; }

    /// <summary>The extension handshake, once it came.</summary>
    public ExtensionHandshake Told { get; set; }

    /// <summary>What it was told of other peers; null if it does not speak of them.</summary>
    public ExchangeRecord? Exchange { get; set; }

    /// <summary>What it was asked for of the info dictionary; null if nothing yet.</summary>
    public MetadataSource? Metadata { get; set; }

    /// <summary>What it asks for of the info dictionary.</summary>
    public MetadataQueue MetadataRequests => field ??= new MetadataQueue(_owner, this);

    /// <summary>What it has; null until it said so, and while our own metadata is missing.</summary>
    public BitField? Pieces { get; set; }

    /// <summary>What it said it has before we knew how many pieces there are.</summary>
    public byte[]? EarlyPieces { get; set; }

    /// <summary>Pieces it told one by one before we knew how many there are: a bit for each, in the wire's order, up to the highest.</summary>
    public byte[] EarlyHaves { get; set; } = [];

    /// <summary>How often it told what was known already.</summary>
    public int Repeats { get; set; }

    /// <summary>It has everything.</summary>
    public bool HasAll { get; set; }

    /// <summary>It does not answer requests.</summary>
    public bool ChokesUs { get; set; } = true;

    /// <summary>It wants pieces of ours.</summary>
    public bool IsInterested { get; set; }

    /// <summary>We do not answer its requests.</summary>
    public bool IsChoked { get; set; } = true;

    /// <summary>Gone.</summary>
    public bool IsClosed { get; set; }

    /// <summary>It is waiting to be flushed.</summary>
    public bool IsDirty { get; set; }

    /// <summary>It let us wait too long: asked for little until it sends something.</summary>
    public bool IsSnubbed { get; set; }

    /// <summary>Ticks when it joined.</summary>
    public long Joined { get; init; }

    /// <summary>Ticks when anything came last.</summary>
    public long LastHeard { get; set; }

    /// <summary>Ticks when a block came last, or when it was asked while nothing was expected.</summary>
    public long LastBlock { get; set; }

    /// <summary>How its address was learned when the connection was made.</summary>
    public PeerSources Sources { get; }

    /// <summary>What of its connection is encrypted.</summary>
    public PeerEncryption Encryption { get; }

    /// <summary>Our handshake went with the first bytes of its connection.</summary>
    public bool IsToldOurs { get; }

    /// <summary>It came to us.</summary>
    public bool IsIncoming => (Sources & PeerSources.Incoming) != 0;

    /// <summary>The choke round in which it last got the turn of those that give nothing; 0 = never.</summary>
    public long LastTurn { get; set; }

    /// <summary>The piece it was asked for last in the background; −1 = none.</summary>
    public int Background { get; set; } = -1;

    /// <summary>Bytes it sent that nobody had asked for, less those that were asked for and given up.</summary>
    public long Unasked { get; set; }

    /// <summary>Blocks that were asked for and given up may still come: so much less was sent unasked. Bounded, or whoever chokes again and again could send what he likes.</summary>
    public void Forgive(long bytes) => Unasked = Math.Max(Unasked - bytes, -MostForgiven);

    /// <summary>A message that moves no data, or says what is known. A sentence if the peer is to be let go: each costs a step under the torrent's lock.</summary>
    public string? CountNoise() => ++_noise > MostNoise ? "The peer floods us with messages that move nothing." : null;

    /// <summary>Another second has passed.</summary>
    public void ForgetNoise() => _noise = 0;

    /// <summary>It answered requests once.</summary>
    public bool WasUnchoked { get; set; }

    /// <summary>Why it is gone.</summary>
    public string? ClosedBecause { get; set; }

    /// <summary>Requests it rejected since its last block, though nobody had cancelled them.</summary>
    public int Rejects { get; set; }

    /// <summary>The round of urgent picking in which its other requests gave way.</summary>
    public long Hurried { get; set; }

    /// <summary>Bytes that its next receive waits for; 1 = whatever comes.</summary>
    public int Gathers { get; private set; } = 1;

    // The block that is coming in now. Used by the receive loop.
    public PieceSlot? Slot { get; private set; }

    public int Block { get; set; }

    public int BlockOffset { get; set; }

    public int BlockLength { get; set; }

    public int BlockPiece { get; set; }

    /// <summary>Another peer is sending the same block: this copy waits in <see cref="Spill"/> until it is whole.</summary>
    public bool Spills { get; set; }

    /// <summary>The block, or the rest of it, is not used because it is here already.</summary>
    public bool IsDuplicate { get; set; }

    /// <summary>Where a block goes while another peer is sending the same one.</summary>
    public byte[] Spill => _spill ??= new byte[PieceSlot.BlockSize];

    /// <summary>Requests whose block is expected, cancelled ones aside.</summary>
    public int Outstanding => Requests.Count - Requests.Cancelled;

    /// <summary>Its next receive takes in a few blocks at once, if more than enough of them are on their way: each wake-up costs more than the blocks themselves.</summary>
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

    /// <summary>If nothing came for a while, whatever comes next is welcome: it may be a word that ends the blocks.</summary>
    public void StopGathering(long now)
    {
        if (Gathers == 1 || now - LastHeard < PauseTicks)
            return;
        Gathers = 1;
        Connection.Gather(1);
    }

    /// <inheritdoc/>
    public bool IsIdle => Requests.Count == 0;

    /// <summary>Gives up the memory that it needed while it was busy, if nothing is expected of it any more.</summary>
    public void Trim()
    {
        if (!IsIdle || Slot is not null)
            return;
        Requests.Trim();
        Outbox.Trim();
        _spill = null;
    }

    /// <inheritdoc/>
    public int MostMessage => _owner.MostMessage;

    public bool Has(int piece) => HasAll || (Pieces?[piece] ?? false);

    /// <summary>Its next block goes there. Under the torrent's lock, as is <see cref="EndWriting"/>.</summary>
    public void BeginWriting(PieceSlot slot)
    {
        slot.BeginWriting();
        Slot = slot;
    }

    /// <summary>The block is whole, or goes nowhere.</summary>
    public void EndWriting(PieceTable table)
    {
        if (Slot is not { } slot)
            return;
        Slot = null;
        slot.EndWriting();
        table.Recycle(slot);
    }

    /// <summary>Its <see cref="Eta"/> when the forecast was made.</summary>
    public double Forecast { get; set; }

    /// <summary>When a block asked now would be here, in seconds.</summary>
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
    public void OnBlockBytes(ReadOnlySpan<byte> bytes) => _blocks.Take(this, bytes);

    /// <inheritdoc/>
    public void OnBatch(int received, int protocol) => _owner.OnBatch(this, received, protocol);

    /// <inheritdoc/>
    public void OnClosed(string reason) => _owner.OnClosed(this, reason);
}
