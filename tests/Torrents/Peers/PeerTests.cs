using System.Net;
using NzbDav.Content;
using NzbDav.Content.Rates;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;
using NzbDav.Torrents.Tests.Scripted;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Peers;

/// <summary>What a peer's state implies changes with it: the states of blocks, the counts of pieces, the peers to flush.</summary>
public sealed class PeerTests : IDisposable
{
    private const int Block = PieceSlot.BlockSize;
    private const int Pieces = 8;

    private readonly FakeOwner _owner = new();

    /// <inheritdoc/>
    public void Dispose() => _owner.Dispose();

    [Fact]
    public void A_choke_frees_the_requested_blocks_and_they_may_still_arrive()
    {
        var (peer, slot) = Unchoked(fast: false);
        peer.SendRequest(slot, 0, now: 1);
        peer.SendRequest(slot, 1, now: 1);
        Assert.Equal((2, BlockState.Requested, 1), (peer.Outstanding, slot.State(1), slot.Copies(1)));

        Assert.True(peer.OnChoke(now: 2));
        Assert.Equal((0, BlockState.Free, BlockState.Free, 2), (peer.Outstanding, slot.State(0), slot.State(1), _owner.Freed));
        Assert.False(peer.CanRequest);
        Assert.True(peer.TakeWithdrawn(0, 1));
        Assert.False(peer.TakeWithdrawn(0, 1));
        Assert.False(peer.TakeWithdrawn(0, 2));
    }

    [Fact]
    public void With_BEP_6_requests_outlive_a_choke_until_they_are_rejected()
    {
        var (peer, slot) = Unchoked(fast: true);
        peer.SendRequest(slot, 0, now: 1);
        Assert.False(peer.OnChoke(now: 2));
        Assert.Equal((1, BlockState.Requested), (peer.Outstanding, slot.State(0)));

        Assert.False(peer.OnReject(0, Block, now: 3));
        Assert.False(peer.OnReject(0, 1, now: 3));
        Assert.True(peer.OnReject(0, 0, now: 3));
        Assert.Equal((0, BlockState.Free), (peer.Outstanding, slot.State(0)));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_cancelled_block_is_free_once_no_answer_is_expected(bool fast)
    {
        var (peer, slot) = Unchoked(fast);
        peer.SendRequest(slot, 0, now: 1);
        peer.CancelRequest(0, now: 2);

        Assert.Equal((0, fast), (peer.Outstanding, peer.HasCancelled));
        Assert.Equal((fast ? 1 : 0, fast ? BlockState.Requested : BlockState.Free), (peer.RequestCount, slot.State(0)));
        Assert.Equal(!fast, peer.TakeWithdrawn(0, 0));
    }

    [Fact]
    public void A_block_ends_its_request_and_a_snub()
    {
        var (peer, slot) = Unchoked(fast: true);
        peer.SendRequest(slot, 0, now: 0);
        peer.CheckSnub(11 * TimeSpan.TicksPerSecond);
        Assert.Equal((true, 0, BlockState.Free), (peer.IsSnubbed, peer.Outstanding, slot.State(0)));
        Assert.Equal(11 * TimeSpan.TicksPerSecond, peer.SnubbedSince);
        Assert.False(peer.CanRequest);

        // Another chance, with the snub remembered until a block arrives.
        peer.CheckSnub(22 * TimeSpan.TicksPerSecond);
        Assert.True(peer is { IsSnubbed: false, CanRequest: true, SnubbedSince: not null });
        peer.SendRequest(slot, 0, now: 23 * TimeSpan.TicksPerSecond);
        peer.OnBlockReceived(peer.FindRequest(0, 0), isRequested: true, Block, now: 24 * TimeSpan.TicksPerSecond);
        Assert.True(peer is { RequestCount: 0, Downloaded: Block, SnubbedSince: null, IsSnubbed: false });
        Assert.Equal(1, _owner.Received);
    }

    [Fact]
    public void Announced_pieces_count_as_long_as_the_peer_has_them_and_is_connected()
    {
        var (one, other) = (NewPeer(), NewPeer());
        var table = _owner.Describe();
        Assert.Null(one.OnHave(3));
        Assert.Null(one.OnBitfield([0b0001_1000]));
        Assert.Null(other.OnHaveAll());
        Assert.Equal([1, 1, 1, 2, 2, 1, 1, 1], Availability(table));
        Assert.Null(other.OnDontHave(3));
        Assert.Equal([1, 1, 1, 1, 2, 1, 1, 1], Availability(table));
        Assert.Equal((false, false, true), (other.HasAll, other.Has(3), other.Has(4)));
        Assert.NotNull(one.OnHave(Pieces));

        one.Leave("It left.", now: 1);
        Assert.Equal([1, 1, 1, 0, 1, 1, 1, 1], Availability(table));
        other.Leave("It left.", now: 1);
        Assert.Equal(new int[Pieces], Availability(table));
        Assert.True(other is { IsClosed: true, DisconnectReason: "It left.", CanRequest: false });
    }

    [Fact]
    public void A_peer_that_announces_the_last_piece_is_counted_as_a_seed_once()
    {
        var peer = NewPeer();
        var table = _owner.Describe();
        Assert.Null(peer.OnBitfield([0b1111_1110]));
        Assert.Equal(0, table.Seeds);
        Assert.Null(peer.OnHave(7));
        Assert.Equal((true, 1), (peer.HasAll, table.Seeds));
        Assert.All(Availability(table), static count => Assert.Equal(1, count));
        Assert.Equal((1, 1), (_owner.Available, _owner.AvailableTogether));
    }

    [Fact]
    public void Pieces_announced_before_the_metadata_count_once_they_are_known()
    {
        var (one, other) = (NewPeer(), NewPeer());
        Assert.Null(one.OnHave(2));
        Assert.Null(one.OnBitfield([0b1000_0001]));
        Assert.Null(other.OnHaveAll());
        var table = _owner.Describe();
        Assert.Null(one.ApplyEarlyAnnouncements());
        Assert.Null(other.ApplyEarlyAnnouncements());
        Assert.Equal([2, 1, 2, 1, 1, 1, 1, 2], Availability(table));
        Assert.Equal(0, one.EarlyBytes);
    }

    [Fact]
    public void A_peer_is_flushed_once_for_all_messages_of_a_step()
    {
        var peer = NewPeer();
        peer.Unchoke();
        peer.SetInterested(true);
        peer.SetInterested(true);
        Assert.Equal([peer], _owner.Dirty);
        peer.BeginFlush();
        peer.Choke();
        peer.Choke();
        Assert.Equal([peer, peer], _owner.Dirty);
    }

    private static int[] Availability(PieceTable table) => [.. Enumerable.Range(0, Pieces).Select(table.Availability)];

    private Peer NewPeer() => _owner.Connect();

    /// <summary>A seed that does not choke us, and a piece that can be requested from it.</summary>
    private (Peer Peer, PieceSlot Slot) Unchoked(bool fast)
    {
        var peer = NewPeer();
        peer.AcceptHandshake(new Handshake(default, default, fast, Extensions: false), byAlias: false);
        var table = _owner.Describe();
        Assert.Null(peer.OnHaveAll());
        Assert.True(peer.OnUnchoke());
        Assert.True(peer.CanRequest);
        return (peer, table.TryOpen(0, isWaited: true)!);
    }

    private sealed class FakeOwner : IPeerOwner, IBudgetWaiter, IDisposable
    {
        private static readonly TorrentInfo Info =
            Metainfo.Read(SwarmFixture.OneFile(Pieces * SwarmFixture.PieceLength).TorrentFile()).Value!.Info;

        private readonly BufferPool _pool = new(new BufferBudget(8 << 20));
        private readonly QuietDialer _dialer = new();
        private readonly List<Peer> _peers = [];

        public List<Peer> Dirty { get; } = [];

        public int Freed { get; private set; }

        public int Received { get; private set; }

        public int Available { get; private set; }

        public int AvailableTogether { get; private set; }

        public Lock Gate { get; } = new();

        public long Now => 0;

        public CancellationToken Stopping => default;

        public PieceTable? Table { get; private set; }

        TorrentPieces? IPeerOwner.Pieces => null;

        public RateLimit UploadLimit { get; } = new(TimeProvider.System);

        public RateLimit SharedUploadLimit { get; } = new(TimeProvider.System);

        public SwarmCounters Counters { get; } = new();

        public TorrentMetrics Metrics { get; } = new(meters: null);

        public int MostMessage => 1_024;

        public OutboxBudget OutboxBudget { get; } = new();

        public Peer Connect()
        {
            var remote = new IPEndPoint(IPAddress.Loopback, 1 + _peers.Count);
            _peers.Add(new Peer(this, new QuietTransport(remote, _dialer), 1 + _peers.Count, remote, PeerSources.Link, byAlias: false));
            return _peers[^1];
        }

        public PieceTable Describe() => Table = new PieceTable(Info, new BitField(Info.PieceCount), _pool, this);

        public void Dispose()
        {
            foreach (var peer in _peers)
                peer.Connection.Dispose();
            foreach (var slot in Table?.Open.ToArray() ?? [])
                Table!.Close(slot).Release();
        }

        public void AddDirty(Peer peer) => Dirty.Add(peer);

        public string? OnHandshake(Peer peer, in Handshake handshake) => null;

        public string? OnMessage(Peer peer, MessageId id, ReadOnlySpan<byte> payload) => null;

        public void OnBatch(Peer peer, int received, int protocol)
        {
        }

        public void OnClosed(Peer peer, string reason)
        {
        }

        public void OnPieceAvailable(int piece) => Available++;

        public void OnPiecesAvailable() => AvailableTogether++;

        public void OnBlockFreed(PieceSlot slot) => Freed++;

        public void OnBlockReceived(Peer peer, in Request request, int bytes, long now) => Received++;

        public void OnBlockAccepted(PieceSlot slot, int block, long now)
        {
        }

        public void BudgetFreed()
        {
        }
    }
}
