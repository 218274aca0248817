using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Host.Settings;
using NzbDav.Library.Opening;
using NzbDav.Library.Pins;
using NzbDav.Usenet;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Rehearsal;
using NzbDav.WebDav.Store;

namespace NzbDav.Host.Warming;

/// <summary>
/// Once after the start, reads a built-in file (<see cref="BuiltInPost"/>) along the whole path, from its article to the server's own HTTP
/// port, and finds and opens a file of the library without reading it. Then pins the beginning of the built-in file and reads it again.
/// This compiles the code of a first user's read, including what cannot be compiled ahead of time. Takes about 100 ms of one core in the
/// background; failures are ignored.
/// </summary>
internal sealed partial class WarmUp(
    IServer server, IHostApplicationLifetime lifetime, WarmUpStore store, TreeStore tree, ContentOpener opener, PinStore pins,
    SettingsBook book, TimeProvider time, ILogger<WarmUp> logger)
    : BackgroundService
{
    private const int ArticleSize = 200_000;
    private const int Articles = 9;

    /// <summary>
    /// Bytes of the beginning that are pinned. With a shorter pin, the code that follows what the client takes does not run.
    /// </summary>
    private const long Pinned = 6 * ArticleSize;

    /// <summary>Largest file to open: its map has 3,000 segments and takes about 200 KB of memory.</summary>
    private const long ModestSize = 2L << 30;

    /// <summary>
    /// Delay after which the garbage of the start is returned to the system (about 10 MB, which would otherwise stay forever: steady
    /// streaming allocates too little for the collector to run). The pause of a few ms then falls after the start of a first play that
    /// waited for the server.
    /// </summary>
    private static readonly TimeSpan Settling = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>
    /// Ends when the warm-up is over, whatever its result: within ten seconds of the start, or when the server is told to stop.
    /// </summary>
    public Task Ended => _ended.Task;

    /// <inheritdoc/>
    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await base.StopAsync(cancellationToken);

        // The service may never have run if the server is stopped at once.
        _ended.TrySetResult();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        try
        {
            var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            await using var registration = lifetime.ApplicationStarted.Register(started.SetResult);
            await started.Task.WaitAsync(stoppingToken);
            using var limit = new CancellationTokenSource(Limit, time);
            using var both = CancellationTokenSource.CreateLinkedTokenSource(stoppingToken, limit.Token);
            var began = time.GetTimestamp();
            await RunAsync(both.Token);
            LogDone(logger, time.GetElapsedTime(began).TotalMilliseconds);
        }
        catch (Exception e)
            when (e is OperationCanceledException or SocketException or InvalidOperationException or CatalogException or ContentException
            || FileFaults.IsFault(e))
        {
            LogFailed(logger, e.Message);
        }
        finally
        {
            store.File = null;
            _ended.TrySetResult();
        }

        await Task.Delay(Settling, time, stoppingToken);
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }

    private async Task RunAsync(CancellationToken cancellationToken)
    {
        var post = new BuiltInPost(Articles, ArticleSize);
        await using var usenet = post.Connect(new BufferPool(new BufferBudget(8 << 20)), time);
        usenet.Start();
        var layout = await usenet.LayOutAsync(
            [.. post.MessageIds], FetchPriority.Import, new Dictionary<int, ArticleHeader>(), cancellationToken);
        if (layout.Segments is not { } segments)
            return;
        var file = new WarmUpFile(usenet, ExtentMap.OfWholeSegments(segments), pins);
        store.File = file;
        if (Address() is not { } address)
            return;
        await OpenAsync(address, cancellationToken);
        await RequestAsync(address, "GET", file.Name, "bytes=0-1023", cancellationToken);
        await RequestAsync(address, "GET", file.Name, "bytes=1500000-", cancellationToken);
        try
        {
            await file.PinAsync(Pinned, cancellationToken);
            await RequestAsync(address, "GET", file.Name, "bytes=0-", cancellationToken);
        }
        finally
        {
            file.Drop();
        }
    }

    /// <summary>Warms up the catalog: looks up a path and unpacks a map. No article is requested.</summary>
    private async Task OpenAsync((string Host, int Port) address, CancellationToken cancellationToken)
    {
        if (await tree.FindRecentFileAsync(ModestSize, cancellationToken) is not { } item
            || await tree.GetPathAsync(item.Id, cancellationToken) is not { } path)
            return;
        await RequestAsync(address, "HEAD", string.Join('/', path.Select(Uri.EscapeDataString)), "bytes=0-", cancellationToken);
        await opener.OpenAsync(item, cancellationToken);
    }

    /// <summary>The plain HTTP port on loopback; null if there is none.</summary>
    private (string Host, int Port)? Address()
    {
        var addresses = server.Features.Get<IServerAddressesFeature>()?.Addresses ?? [];
        foreach (var address in addresses)
        {
            var binding = BindingAddress.Parse(address);
            if (binding.Scheme == "http" && !binding.IsUnixPipe)
                return (binding.Host is "*" or "+" or "0.0.0.0" or "[::]" or "localhost" ? "127.0.0.1" : binding.Host.Trim('[', ']'),
                    binding.Port);
        }

        return null;
    }

    private async Task RequestAsync(
        (string Host, int Port) address, string method, string path, string range, CancellationToken cancellationToken)
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(address.Host, address.Port, cancellationToken);
        // Without credentials the answer is 401. An empty login would be logged as a failed attempt.
        var settings = book.Current;
        var login = settings.HasWebDavCredentials ? $"Authorization: Basic {Convert.ToBase64String(Encoding.UTF8.GetBytes($"{settings.WebDavUsername}:{settings.WebDavPassword}"))}\r\n" : "";
        await socket.SendAsync(
            Encoding.ASCII.GetBytes(string.Create(
                CultureInfo.InvariantCulture,
                $"{method} /dav/{path} HTTP/1.1\r\nHost: localhost\r\n{login}Range: {range}\r\nConnection: close\r\n\r\n")),
            cancellationToken);
        var buffer = new byte[64 << 10];
        while (await socket.ReceiveAsync(buffer, cancellationToken) > 0)
        {
        }
    }

    [LoggerMessage(464, LogLevel.Debug, "Warmed up in {Milliseconds:0} ms.")]
    private static partial void LogDone(ILogger logger, double milliseconds);

    [LoggerMessage(465, LogLevel.Debug, "The warm-up ended early: {Reason}")]
    private static partial void LogFailed(ILogger logger, string reason);
}

/// <summary>A file of the warm-up's own provider, opened like files of the catalog, through the codec of its map.</summary>
internal sealed class WarmUpFile(UsenetClient usenet, ExtentMap map, PinStore pins) : IStoreFile
{
    /// <summary>Belongs to no file of the library. Leftovers of a crash are removed like the pins of deleted files.</summary>
    private readonly PinKey _key = new(Item: 0, BlobHash.Of(new byte[32]), map.Length);
    private readonly ReadOnlyMemory<byte> _map = ExtentMapCodec.Encode(map, sizesVerified: true);

    public string Name { get; } = $"warm-up-{Guid.NewGuid():n}";

    public DateTimeOffset CreatedAt => DateTimeOffset.UnixEpoch;

    public DateTimeOffset ModifiedAt => DateTimeOffset.UnixEpoch;

    public string ETag => "\"warm-up\"";

    public long Length => map.Length;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreOpenResult.Of(new PinnedContent(Whole(), _key, pins)));

    /// <summary>Pins the beginning.</summary>
    public Task PinAsync(long length, CancellationToken cancellationToken) =>
        pins.PinAsync(_key, Whole(), [new ByteSpan(0, length)], ReadIntent.Import, cancellationToken);

    /// <summary>Removes the pin.</summary>
    public void Drop() => pins.Drop(_key.Item);

    private IContent Whole() => usenet.Open(ExtentMapCodec.Decode(_map.Span).Map);
}

/// <summary>The tree, with one additional file at an unguessable path while the program warms up. Thread-safe.</summary>
internal sealed class WarmUpStore(IStore inner) : IStore
{
    private volatile IStoreFile? _file;

    /// <summary>The file; null once the warm-up is over.</summary>
    public IStoreFile? File
    {
        get => _file;
        set => _file = value;
    }

    public ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        return _file is { } file && path.Segments is [var name] && name == file.Name
            ? ValueTask.FromResult<IStoreItem?>(file)
            : inner.GetItemAsync(path, cancellationToken);
    }

    public ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken) =>
        inner.GetParentForWriteAsync(path, cancellationToken);

    public bool MayHoldJunk(StorePath path) => inner.MayHoldJunk(path);

    public bool MayListDeep(StorePath path) => inner.MayListDeep(path);
}
