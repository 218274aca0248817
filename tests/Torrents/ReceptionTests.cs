using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;
using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Tests.Network;
using NzbDav.Torrents.Tests.Scripted;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests;

/// <summary>Connections that cannot be made or taken: without a descriptor, without IPv6.</summary>
public sealed class ReceptionTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task A_socket_that_cannot_be_created_counts_as_an_unreachable_peer()
    {
        using var sockets = new PeerSockets(static () => default, new FixedAddresses(), TimeProvider.System);
        Assert.Null(await new TcpDialer(sockets).ConnectAsync(new DialTarget(new OddEndPoint(), default), CancellationToken.None));
    }

    [Fact]
    public async Task A_torrent_closes_after_an_unexpected_dialling_failure()
    {
        var dialer = new FailingDialer();
        var content = SwarmFixture.OneFile(SwarmFixture.PieceLength);
        var engine = new TorrentEngine(
            new TorrentOptions { Workers = 1, Listen = null }, new ManualTimeProvider(), metrics: null, pool: null, dialer,
            new HashCheck());
        var torrent = engine.Add(Metainfo.Read(content.TorrentFile()).Value!);
        torrent.AddPeers(new IPEndPoint(IPAddress.Loopback, 1));
        await dialer.Dialled.Task.WaitAsync(Patience);

        await torrent.DisposeAsync().AsTask().WaitAsync(Patience);
        await engine.DisposeAsync();
    }

    [Fact]
    public async Task After_a_failed_accept_nothing_is_accepted_for_a_second()
    {
        var time = new ManualTimeProvider();
        var content = SwarmFixture.OneFile(SwarmFixture.PieceLength);
        using var acceptor = new ScriptedAcceptor();
        var welcomed = new TaskCompletionSource<InfoHash>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var reception = new PeerReception(
            acceptor, time, (ITransport transport, in Handshake handshake, ReadOnlyMemory<byte> received) =>
        {
            transport.Dispose();
            return welcomed.TrySetResult(handshake.Hash);
        }, new PlainReception());

        // The queue is never empty: without the pause both would be taken at once.
        var peer = new ScriptedPeer(content, 1);
        var greeting = peer.SayAsync(Hostile.HostilePeer.Handshake(content.Hash.Span));
        acceptor.Queue.Writer.TryWrite(null);
        acceptor.Queue.Writer.TryWrite(peer);
        await time.WhenArmedAsync(1).WaitAsync(Patience);
        Assert.Equal(1, acceptor.Asked);
        Assert.Equal(TimeSpan.FromSeconds(1), time.NextDue);

        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(content.HashText, (await welcomed.Task.WaitAsync(Patience)).ToString());
        await greeting;
    }

    [Theory]
    [InlineData("192.0.2.7", "192.0.2.7", "192.0.2.8")]
    [InlineData("::ffff:192.0.2.7", "192.0.2.7", "::ffff:192.0.2.8")]
    [InlineData("2001:db8:0:7::1", "2001:db8:0:7:2:3:4:5", "2001:db8:0:8::1")]
    public async Task Peers_from_one_address_that_say_nothing_leave_places_for_others(string address, string same, string other)
    {
        var content = SwarmFixture.OneFile(SwarmFixture.PieceLength);
        using var acceptor = new ScriptedAcceptor();
        var welcomed = new TaskCompletionSource<IPAddress>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var reception = new PeerReception(acceptor, new ManualTimeProvider(), (transport, in _, _) =>
        {
            transport.Dispose();
            return welcomed.TrySetResult(transport.Remote.Address);
        }, new PlainReception());
        IPAddress[] addresses = [IPAddress.Parse(address), IPAddress.Parse(same)];
        ScriptedPeer[] silent = [.. Enumerable.Range(1, 150).Select(port => new ScriptedPeer(content, port, addresses[port % 2]))];
        foreach (var peer in silent)
            acceptor.Queue.Writer.TryWrite(peer);
        var welcome = new ScriptedPeer(content, 1, IPAddress.Parse(other));
        acceptor.Queue.Writer.TryWrite(welcome);
        _ = welcome.SayAsync(Hostile.HostilePeer.Handshake(content.Hash.Span));
        Assert.Equal(welcome.Remote.Address, await welcomed.Task.WaitAsync(Patience));
        Assert.Equal(150 - 8, silent.Count(static peer => peer.IsClosed));
        foreach (var peer in silent)
            peer.Dispose();
    }

    /// <summary>No operating system has sockets of this kind with TCP.</summary>
    private sealed class OddEndPoint() : IPEndPoint(IPAddress.Loopback, 1)
    {
        public override AddressFamily AddressFamily => AddressFamily.AppleTalk;
    }

    private sealed class PlainReception : IEncryptedReception
    {
        public bool AllowsPlain => true;

        public ValueTask<ITransport?> AnswerAsync(
            ITransport transport, ReadOnlyMemory<byte> received, CancellationToken cancellationToken) => default;
    }

    private sealed class FailingDialer : ITransportDialer
    {
        public TaskCompletionSource Dialled { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken)
        {
            Dialled.TrySetResult();
            throw new SocketException((int)SocketError.TooManyOpenSockets);
        }
    }

    private sealed class ScriptedAcceptor : ITransportAcceptor
    {
        private int _asked;

        public Channel<ITransport?> Queue { get; } = Channel.CreateUnbounded<ITransport?>();

        public int Asked => Volatile.Read(ref _asked);

        public int Port => 1;

        public ValueTask<ITransport?> AcceptAsync(CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref _asked);
            return Queue.Reader.ReadAsync(cancellationToken);
        }

        public void Dispose()
        {
        }
    }
}
