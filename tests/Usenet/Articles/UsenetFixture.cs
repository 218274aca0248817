using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Content.Dialling;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>A client over real sockets to mock providers, on a pool that finds leaks. Disposal asserts that nothing leaked.</summary>
internal sealed class UsenetFixture : IAsyncDisposable
{
    private readonly List<MockProvider> _mocks = [];
    private readonly DiagnosticBufferPool _pool;

    public UsenetFixture(
        MockProviderOptions[]? mocks = null, Func<ProviderOptions, int, ProviderOptions>? configure = null, long budget = 64 << 20,
        TimeProvider? time = null, Action<MockProvider>? prepare = null,
        IMeterFactory? meters = null, StubLog? log = null, UsageBook? usage = null, ConnectionLeases? shares = null,
        Dialler? dialler = null)
    {
        var options = new List<ProviderOptions>();
        foreach (var mock in mocks ?? [new MockProviderOptions()])
        {
            var provider = MockProvider.Start(Store, mock);
            prepare?.Invoke(provider);
            _mocks.Add(provider);
            var account = new ProviderOptions
            { Name = mock.Name, Host = "127.0.0.1", Port = provider.Port, UseTls = mock.Tls, MaxConnections = 8 };
            options.Add(configure?.Invoke(account, options.Count) ?? account);
        }

        _pool = new DiagnosticBufferPool(new BufferBudget(budget));
        var logger = log is null
            ? (ILogger<UsenetClient>)NullLogger<UsenetClient>.Instance
            : new Logger<UsenetClient>(new LoggerFactory([log]));
        Client = new UsenetClient(
            options, _pool, time ?? TimeProvider.System, logger, meters, usage: usage, leases: shares, dialler: dialler);
        Client.Start();
    }

    public ArticleStore Store { get; } = new();

    public UsenetClient Client { get; }

    public IReadOnlyList<MockProvider> Mocks => _mocks;

    public MockProvider Mock => _mocks[0];

    public BufferPool Pool => _pool;

    public static CancellationToken Limit { get; } = CancellationToken.None;

    /// <summary>Posts a seeded file.</summary>
    public PostedFile Post(long length, PostOptions? options = null, string name = "video.mkv") =>
        Store.AddFile(name, new SeededSource(7, name, length), options);

    /// <summary>Lays a post out as the importer does and opens it.</summary>
    public async Task<IContent> OpenAsync(PostedFile file, Action<ExtentMap>? corrected = null)
    {
        var layout = await Client.LayOutAsync(
            [.. file.Segments.Select(segment => segment.MessageId)], FetchPriority.Import, new Dictionary<int, ArticleHeader>(), Limit);
        Assert.True(layout.Segments is not null, layout.Reason);
        return Client.Open(ExtentMap.OfWholeSegments(layout.Segments), corrected);
    }

    /// <summary>The map that a regular post must have, without asking anybody.</summary>
    public static ExtentMap TrueMap(PostedFile file)
    {
        var table = new SegmentTable.Builder();
        foreach (var segment in file.Segments)
            table.Add(segment.MessageId, segment.Offset, segment.Size);
        return ExtentMap.OfWholeSegments(table.Build());
    }

    /// <summary>Reads a range to its end and compares every byte with the source.</summary>
    public static async Task AssertReadsAsync(
        IContent content, PostedFile file, long start, long end, ReadIntent intent = ReadIntent.Playback)
    {
        await using var reader = content.OpenReader(start, end, intent);
        await AssertReadsAsync(reader, file, end - start);
        using var last = await reader.NextAsync(Limit);
        Assert.True(last.IsEmpty);
    }

    public static async Task AssertReadsAsync(ContentReader reader, PostedFile file, long count)
    {
        var expected = new byte[1 << 20];
        while (count > 0)
        {
            var at = reader.Position;
            using var lease = await reader.NextAsync(Limit);
            Assert.False(lease.IsEmpty, $"ended {count} bytes early");
            for (var done = 0; done < lease.Length;)
            {
                var part = Math.Min(expected.Length, lease.Length - done);
                file.Source.Fill(at + done, expected.AsSpan(0, part));
                Assert.True(expected.AsSpan(0, part).SequenceEqual(lease.Memory.Span.Slice(done, part)), $"wrong bytes at {at + done}");
                done += part;
            }

            count -= lease.Length;
        }
    }

    public async ValueTask DisposeAsync()
    {
        Assert.Equal(0, Client.Cache.Open);
        await Client.DisposeAsync();
        Client.Cache.Reclaim(long.MaxValue);
        _pool.AssertAllReturned();
        Assert.Equal(0, _pool.Budget.Reserved);
        foreach (var mock in _mocks)
            await mock.DisposeAsync();
    }
}
