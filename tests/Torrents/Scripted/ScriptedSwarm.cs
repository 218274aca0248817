using System.Net;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>An engine with one torrent whose peers, clock and lines are all a test's: nothing moves but by its script.</summary>
internal sealed class ScriptedSwarm : IAsyncDisposable
{
    private readonly ScriptedDialer _dialer = new();
    private int _ports;

    public ScriptedSwarm(int pieces, TorrentOptions? options = null, TimeProvider? clock = null, TorrentMetrics? metrics = null)
        : this(SwarmFixture.OneFile((long)pieces * SwarmFixture.PieceLength), isDescribed: true, options, clock, metrics)
    {
    }

    /// <param name="content">What the peers share.</param>
    /// <param name="isDescribed">False: the engine has a magnet link only.</param>
    /// <param name="options">The engine's, but for its threads and its port.</param>
    /// <param name="clock">In place of <see cref="Time"/>.</param>
    /// <param name="metrics">The engine's.</param>
    public ScriptedSwarm(
        MockTorrent content, bool isDescribed, TorrentOptions? options = null, TimeProvider? clock = null, TorrentMetrics? metrics = null)
    {
        Content = content;
        options = (options ?? new TorrentOptions()) with { Workers = 1, Listen = null };
        Pool = new DiagnosticBufferPool(new BufferBudget(options.Memory));
        Engine = new TorrentEngine(options, clock ?? Time, metrics, Pool, _dialer, new HashCheck());
        Torrent = isDescribed
            ? Engine.Add(Metainfo.Read(Content.TorrentFile()).Value!) : Engine.Add(MagnetLink.Read(Content.Magnet([], [])).Value!);
    }

    public ManualTimeProvider Time { get; init; } = new();

    /// <summary>Source of the peers.</summary>
    public PeerSources Source { get; init; } = PeerSources.Link;

    public MockTorrent Content { get; }

    public DiagnosticBufferPool Pool { get; }

    public TorrentEngine Engine { get; }

    public Torrent Torrent { get; }

    /// <summary>A peer that the engine dials; completes when it waits for the connection.</summary>
    public async Task<ScriptedPeer> DialAsync(IPAddress? address = null)
    {
        var peer = Expect(address);
        Torrent.Swarm.AddPeers([peer.Remote], Source);
        await DialledAsync();
        return peer;
    }

    /// <summary>A peer that can be dialled, of which the engine does not know yet.</summary>
    public ScriptedPeer Expect(IPAddress? address = null)
    {
        var peer = new ScriptedPeer(Content, ++_ports, address);
        _dialer.Add(peer);
        return peer;
    }

    /// <summary>The info-hash by which the engine dialled a peer last.</summary>
    public InfoHash NameFor(ScriptedPeer peer) => _dialer.Targets.Last(target => target.Remote.Equals(peer.Remote)).Greeting.Hash;

    /// <summary>Completes when the engine has dialled once more.</summary>
    public Task DialledAsync() => _dialer.DialledAsync();

    /// <summary>A peer that is connected and has said what it has.</summary>
    public async Task<ScriptedPeer> ConnectAsync(byte has, IPAddress? address = null)
    {
        var peer = await DialAsync(address);
        peer.Reachable.SetResult();
        await peer.IsGreetedAsync();
        await peer.GreetAsync(has);
        return peer;
    }

    /// <summary>A peer of another torrent of the engine, which has everything.</summary>
    public async Task<ScriptedPeer> ConnectAsync(Torrent torrent, MockTorrent content)
    {
        var peer = new ScriptedPeer(content, ++_ports, address: null);
        _dialer.Add(peer);
        torrent.Swarm.AddPeers([peer.Remote], Source);
        await DialledAsync();
        peer.Reachable.SetResult();
        await peer.IsGreetedAsync();
        await peer.GreetAsync(ScriptedPeer.HaveAll);
        return peer;
    }

    /// <summary>A peer that has everything and serves at once what it is asked for.</summary>
    public async Task<ScriptedPeer> ConnectSeederAsync()
    {
        var peer = await ConnectAsync(ScriptedPeer.HaveAll);
        peer.Serves = true;
        await peer.SayAsync(ScriptedPeer.Unchoke);
        return peer;
    }

    /// <summary>A peer that has nothing and wants something.</summary>
    public async Task<ScriptedPeer> ConnectLeecherAsync()
    {
        var peer = await ConnectAsync(ScriptedPeer.HaveNone);
        await peer.SayAsync(ScriptedPeer.Interested);
        return peer;
    }

    /// <summary>A peer that has everything, wants something and does not answer.</summary>
    public async Task<ScriptedPeer> ConnectLeecherOfAllAsync()
    {
        var peer = await ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(ScriptedPeer.Interested);
        return peer;
    }

    public ContentReader Open(int piece, int pieces = 1)
    {
        var start = (long)piece * SwarmFixture.PieceLength;
        return Torrent.Open(Torrent.Swarm.Table!.Info.Files[0])
            .OpenReader(start, start + ((long)pieces * SwarmFixture.PieceLength), ReadIntent.Playback);
    }

    /// <summary>Reads pieces to their end and compares every byte.</summary>
    public async Task ReadAsync(int piece, int pieces = 1)
    {
        await using var reader = Open(piece, pieces);
        await FinishAsync(reader);
    }

    /// <summary>Reads on to the end and compares every byte.</summary>
    public async Task FinishAsync(ContentReader reader)
    {
        while (true)
        {
            var at = reader.Position;
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                return;
            var expected = new byte[lease.Length];
            Content.Content.Fill(at, expected);
            Assert.True(expected.AsSpan().SequenceEqual(lease.Memory.Span));
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Engine.DisposeAsync();
        Pool.AssertAllReturned();
        Pool.AssertNothingReserved();
    }
}
