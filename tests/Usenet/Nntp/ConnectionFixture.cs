using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Providers.Quotas;
using NzbDav.Usenet.Tests.Yenc;

namespace NzbDav.Usenet.Tests.Nntp;

/// <summary>One connection whose other end is the test. Disposal ends it and asserts that nothing leaked.</summary>
internal sealed class ConnectionFixture : IAsyncDisposable
{
    private readonly DiagnosticBufferPool _pool = new();
    private readonly SegmentCache _cache;
    private readonly List<SegmentFlight> _flights = [];
    private readonly Dispatcher _dispatcher;
    private readonly Provider _provider;
    private readonly Task _run;

    /// <param name="piece">Most bytes that one receive brings.</param>
    /// <param name="readsAhead">As below TLS; what is fed is plain all the same.</param>
    public ConnectionFixture(int piece = int.MaxValue, bool readsAhead = false)
    {
        _cache = new SegmentCache(_pool, new ManualSegmentFetcher(), Clock);
        var metrics = new UsenetMetrics(meters: null);
        _dispatcher = new Dispatcher(Clock, metrics);
        Buffers = new ReceiveBuffers();
        Stream = new ReplayStream { Piece = piece };
        _provider = new Provider(0, new ProviderOptions { Name = "mock", Host = "localhost" }, _dispatcher, Buffers, Clock, metrics,
            NullLogger.Instance, new UsageBook(Clock));
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        var below = readsAhead ? new ReadAheadStream(Stream) : null;
        Connection = new NntpConnection(_provider, NntpConnectResult.Of(socket, below ?? (Stream)Stream, below), Buffers, Clock);
        _run = Connection.RunAsync(Owner);
    }

    public ManualTimeProvider Clock { get; } = new();

    public RecordingOwner Owner { get; } = new();

    public ReceiveBuffers Buffers { get; }

    public ReplayStream Stream { get; }

    public NntpConnection Connection { get; }

    public int Rented => _pool.Rented;

    public static byte[] Bytes(string id, int size) => ManualSegment.BytesOf(id, size);

    /// <summary>The answer to BODY: status line, article, terminator.</summary>
    public static byte[] Body(string id, int size, long begin = 0) =>
        [.. Encoding.Latin1.GetBytes($"222 0 <{id}>\r\n"), .. YencArticle.Part(Bytes(id, size), begin, fileSize: 1_000_000)];

    public SegmentFlight Fly(string id, int size, long begin = 0) =>
        Fly(size == 0 ? SegmentKey.Unknown(id) : new SegmentKey(id, begin, size));

    public SegmentFlight Fly(SegmentKey key)
    {
        Assert.True(_cache.TryOpen(key, FetchPriority.Waiting, waiter: null, out var flight));
        _flights.Add(flight);
        return flight;
    }

    public bool Submit(SegmentFlight flight)
    {
        flight.Sent = true;
        return Connection.TrySubmit(new ArticleRequest(NntpCommand.Body, new ArticleFetch(flight)));
    }

    public bool Submit(NntpCommand command) => Connection.TrySubmit(new ArticleRequest(command, fetch: null));

    /// <summary>The receive loop has ended.</summary>
    public Task EndedAsync() => _run;

    public void AssertHolds(SegmentFlight flight, string id, int size)
    {
        Assert.True(flight.IsFound);
        using var lease = flight.TryLend(0, size);
        Assert.True(Bytes(id, size).AsSpan().SequenceEqual(lease!.Memory.Span));
    }

    public async ValueTask DisposeAsync()
    {
        Connection.Close("the test ends");
        Stream.End();
        await _run;
        foreach (var flight in _flights)
        {
            flight.Fail(ContentFault.Unavailable, "the test ends");
            _cache.Close(flight);
        }

        Owner.OddBuffer?.Release();
        _cache.Reclaim(long.MaxValue);
        _pool.AssertAllReturned();
        _pool.AssertNothingReserved();
        await _provider.DisposeAsync();
        _dispatcher.Dispose();
    }
}
