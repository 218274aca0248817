using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Disk;
using NzbDav.Usenet.Tests.Articles;

namespace NzbDav.Usenet.Tests.Disk;

/// <summary>A client over a mock provider with a disk cache that can be ended and begun anew. Clocks stand still unless the test moves its
/// own: nothing is late, so nothing is asked for twice.</summary>
internal sealed class DiskCacheFixture : IAsyncDisposable
{
    public const int ArticleSize = 20_000;

    /// <summary>Files of 256 KiB: twelve articles each.</summary>
    public const int SegmentBytes = 256 << 10;

    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("nzbdav-disk-cache-");
    private readonly ArticleStore _store = new();
    private readonly MockProvider _mock;
    private UsenetClient? _client;
    private DiagnosticBufferPool? _pool;

    public DiskCacheFixture(FaultyFiles? files = null, TimeProvider? time = null)
    {
        _mock = MockProvider.Start(_store, new MockProviderOptions());
        Files = files ?? new FaultyFiles();
        Time = time ?? new ManualTimeProvider();
    }

    /// <summary>Clock of the cache.</summary>
    public TimeProvider Time { get; }

    public FaultyFiles Files { get; }

    public string Folder => Path.Combine(_root.FullName, "articles");

    public string OtherFolder => Path.Combine(_root.FullName, "other");

    public DiskCache Cache { get; private set; } = null!;

    public UsenetClient Client => _client!;

    public MockProvider Mock => _mock;

    /// <summary>Requests for an article that the provider had.</summary>
    public int Asked => (int)_mock.Stats.Commands.GetValueOrDefault("BODY");

    public string[] Segments => Directory.Exists(Folder) ? [.. Directory.GetFiles(Folder, "*.articles").Order(StringComparer.Ordinal)] : [];

    public PostedFile Post(string name, int articles) =>
        _store.AddFile(name, new SeededSource(7, name, (long)articles * ArticleSize), new PostOptions { ArticleSize = ArticleSize });

    /// <summary>Begins a process's life: client and cache.</summary>
    public async Task BeginAsync(long limit = 64 << 20)
    {
        Cache = new DiskCache(Time, NullLogger<DiskCache>.Instance, meters: null, Files, SegmentBytes);
        Cache.Apply(new DiskCacheOptions(Folder, limit));
        await Cache.FlushAsync();
        _pool = new DiagnosticBufferPool(new BufferBudget(64 << 20));
        var account = new ProviderOptions { Host = "127.0.0.1", Port = _mock.Port, UseTls = false, MaxConnections = 4 };
        _client = new UsenetClient([account], _pool, new ManualTimeProvider(), NullLogger<UsenetClient>.Instance, before: Cache.Before);
        _client.Start();
    }

    /// <summary>Reads all of a file and compares it with what was posted; then nothing of it is in memory, and all that is to be kept is on
    /// the disk.</summary>
    public async Task ReadAsync(PostedFile file, ReadIntent intent = ReadIntent.Playback)
    {
        await UsenetFixture.AssertReadsAsync(Client.Open(UsenetFixture.TrueMap(file)), file, 0, file.Source.Length, intent);
        await ForgetAsync();
    }

    /// <summary>Empties the memory.</summary>
    public async Task ForgetAsync()
    {
        await Cache.FlushAsync();
        Client.Cache.Reclaim(long.MaxValue);
    }

    /// <summary>Ends the process's life.</summary>
    /// <param name="orderly">False: the cache finishes nothing, as after kill -9.</param>
    public async Task EndAsync(bool orderly = true)
    {
        string? left = null;
        if (!orderly)
        {
            // What a killed process leaves is what the files are now.
            await Cache.FlushAsync();
            left = Folder + ".left";
            Directory.CreateDirectory(left);
            foreach (var path in Segments)
                File.Copy(path, Path.Combine(left, Path.GetFileName(path)));
        }

        await Client.DisposeAsync();
        Cache.Dispose();
        Client.Cache.Reclaim(long.MaxValue);
        _pool!.AssertAllReturned();
        Assert.Equal(0, _pool.Budget.Reserved);
        _client = null;
        if (left is not null)
        {
            Directory.Delete(Folder, recursive: true);
            Directory.Move(left, Folder);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_client is not null)
            await EndAsync();
        await _mock.DisposeAsync();
        _root.Delete(recursive: true);
    }
}
