using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Content.Rates;
using NzbDav.Fakes;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Providers.Quotas;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>A dispatcher over connections whose other ends are the test. Disposal ends all and asserts that nothing leaked.</summary>
internal sealed class DispatchFixture : IAsyncDisposable
{
    private readonly DiagnosticBufferPool _pool = new();
    private readonly ReceiveBuffers _buffers;
    private readonly List<Line> _lines = [];
    private readonly List<SegmentFlight> _open = [];
    private readonly Provider[] _providers;

    /// <param name="priorities">One provider each: p0, p1, …</param>
    public DispatchFixture(params int[] priorities)
        : this([.. priorities.Select(
            static priority => (Func<ProviderOptions, ProviderOptions>)(options => options with { Priority = priority }))])
    {
    }

    /// <param name="configure">One provider each: p0, p1, …</param>
    public DispatchFixture(params Func<ProviderOptions, ProviderOptions>[] configure)
    {
        Clock.Advance(TimeSpan.FromSeconds(1));
        Limit = new RateLimit(Clock, burst: 0.1);
        _buffers = new ReceiveBuffers(Limit);
        var metrics = new UsenetMetrics(meters: null);
        Dispatcher = new Dispatcher(Clock, metrics);
        _providers = [.. configure.Select((options, index) =>
            new Provider(index, options(new ProviderOptions { Name = $"p{index}", Host = "localhost" }), Dispatcher, _buffers, Clock,
                metrics, NullLogger.Instance, new UsageBook(Clock)))];
        Dispatcher.SetProviders(_providers);
        Cache = new SegmentCache(_pool, Dispatcher, Clock);
    }

    public ManualTimeProvider Clock { get; } = new();

    /// <summary>Of all connections; none at first.</summary>
    public RateLimit Limit { get; }

    public Dispatcher Dispatcher { get; }

    public SegmentCache Cache { get; }

    public int Rented => _pool.Rented;

    public Provider Provider(int index) => _providers[index];

    /// <summary>Opens a connection of a provider.</summary>
    public Line Connect(int provider = 0)
    {
        var stream = new ReplayStream();
        var connection = new NntpConnection(
            _providers[provider], NntpConnectResult.Of(new Socket(SocketType.Stream, ProtocolType.Tcp), stream), _buffers, Clock);
        var employed = (PooledConnection)Dispatcher.Register(_providers[provider], connection);
        var line = new Line(employed, stream, connection.RunAsync(employed));
        _lines.Add(line);
        employed.Begin();
        return line;
    }

    /// <summary>Which of two connections was asked first is the dispatcher's business.</summary>
    public static void Order(ref Line late, ref Line other)
    {
        if (late.Asked.Length == 0)
            (late, other) = (other, late);
        Assert.Equal((1, 0), (late.Asked.Length, other.Asked.Length));
    }

    /// <summary>After that time one byte of an article comes on a connection.</summary>
    public Task TrickleAsync(Line line, int index, TimeSpan after)
    {
        Clock.Advance(after);
        line.Trickle(index);
        return line.WhenDrainedAsync();
    }

    public SegmentFlight Fly(string id, FetchPriority priority = FetchPriority.ReadAhead, int size = 300)
    {
        Assert.True(Cache.TryOpen(new SegmentKey(id, 0, size), priority, waiter: null, out var flight));
        _open.Add(flight);
        return flight;
    }

    public void Close(SegmentFlight flight)
    {
        Assert.True(_open.Remove(flight));
        Cache.Close(flight);
    }

    public void AssertFound(SegmentFlight flight)
    {
        Assert.True(flight.IsFound, $"{flight.Fault}: {flight.FailureReason}");
        using var lease = flight.TryLend(0, flight.Size);
        Assert.True(ManualSegment.BytesOf(flight.Key.Id, flight.Size).AsSpan().SequenceEqual(lease!.Memory.Span));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var line in _lines)
            line.Break();
        foreach (var line in _lines)
            await line.Run;
        Dispatcher.Dispose();
        foreach (var flight in _open)
        {
            Assert.True(flight.IsEnded, $"<{flight.Key.Id}> never ended");
            Cache.Close(flight);
        }

        Assert.Equal(0, Cache.Open);
        Cache.Reclaim(long.MaxValue);
        _pool.AssertAllReturned();
        _pool.AssertNothingReserved();
        foreach (var provider in _providers)
            await provider.DisposeAsync();
    }

    /// <summary>A connection and its server.</summary>
    internal sealed class Line(PooledConnection employed, ReplayStream stream, Task run)
    {
        public PooledConnection Employed => employed;

        public DispatchConnection Carrier => employed.Connection;

        public NntpConnection Connection => employed.Wire;

        public Task Run => run;

        /// <summary>Ids asked for so far, in order.</summary>
        public string[] Asked => [.. stream.Written.Split("\r\n", StringSplitOptions.RemoveEmptyEntries)
            .Select(command => command is ['B', ..] ? command[6..^1] : command)];

        /// <summary>The server sends the right article.</summary>
        public void Send(string id, int size = 300, long begin = 0) => stream.Feed(ConnectionFixture.Body(id, size, begin));

        /// <summary>The server sends the article with a byte changed.</summary>
        public void SendDamaged(string id) =>
            stream.Feed(Encoding.Latin1.GetString(ConnectionFixture.Body(id, 300))
                .Replace("pcrc32=", "pcrc32=12345678 x", StringComparison.Ordinal));

        public void Say(string line) => stream.Feed($"{line}\r\n");

        /// <summary>The server sends the beginning of an article.</summary>
        public void Begin(string id, int size = 300) => stream.Feed(ConnectionFixture.Body(id, size)[..200]);

        /// <summary>The server sends what <see cref="Begin"/> left.</summary>
        public void SendRest(string id, int size = 300) => stream.Feed(ConnectionFixture.Body(id, size)[200..]);

        /// <summary>The server sends a part of its answer.</summary>
        public void SendPart(string id, Range part) => stream.Feed(ConnectionFixture.Body(id, 300)[part]);

        /// <summary>The server sends one byte of an article, which never becomes whole.</summary>
        public void Trickle(int index) => stream.Feed(ConnectionFixture.Body("trickle", 300)[index..(index + 1)]);

        /// <summary>The connection is lost.</summary>
        public void Break() => stream.End();

        /// <summary>Waits until what was sent has been dealt with.</summary>
        public Task WhenDrainedAsync() => Until.TrueAsync(() => stream.IsDrained);

        /// <summary>Waits until so much has been asked for.</summary>
        public Task WhenAskedAsync(int count) => Until.TrueAsync(() => Asked.Length >= count);
    }
}
