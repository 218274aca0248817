using System.Net;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Keys;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Content;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Host.Warming;
using NzbDav.Import.Queue;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.Usenet;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A whole server in this process, on a free port of loopback, with a client that has its password.</summary>
internal sealed class Gateway : IAsyncDisposable
{
    public const string User = "anna";
    public const string Password = "a pass:wörd";

    private readonly NzbDavServer _server;
    private readonly Folder? _own;

    private Gateway(NzbDavServer server, Folder? own, string folder)
    {
        _server = server;
        _own = own;
        ConfigFolder = folder;
        Client = new DavClient(server.Urls[0], User, Password);
    }

    public string ConfigFolder { get; }

    public DavClient Client { get; }

    public string Root => _server.Urls[0];

    public UsenetClient Usenet => _server.Services.GetRequiredService<UsenetClient>();

    public BufferPool Pool => _server.Services.GetRequiredService<BufferPool>();

    public JobStore Jobs => _server.Services.GetRequiredService<JobStore>();

    public IServiceProvider Services => _server.Services;

    /// <param name="news">Where the articles are.</param>
    /// <param name="folder">State of an earlier server; null for a new folder, deleted at the end.</param>
    /// <param name="change">Changes the usual settings.</param>
    /// <param name="demo">Runs open, without a password.</param>
    /// <param name="environment">The environment's settings; null for none.</param>
    /// <param name="database">Connection string of a PostgreSQL database; null: <see cref="TestEngine"/> decides.</param>
    /// <param name="time">The clock of everything but connections and their bytes; null: the system's.</param>
    public static async Task<Gateway> StartAsync(
        NewsServers news, Folder? folder = null, Func<NzbDavSettings, NzbDavSettings>? change = null, bool demo = false,
        IReadOnlyDictionary<string, string?>? environment = null,
        string? database = null, TimeProvider? time = null)
    {
        NzbDavSettings Usual(NzbDavSettings settings)
        {
            var usual = settings with
            {
                Providers = news.Accounts,
                WebDavUsername = User,
                WebDavPassword = Password,
                Torrents = settings.Torrents
                    with
                { ListenAddress = IPAddress.Loopback, PrivateHosts = ["127.0.0.1"], Dht = false, LocalDiscovery = false },
            };
            return change?.Invoke(usual) ?? usual;
        }

        var own = folder is null ? new Folder() : null;
        var path = (folder ?? own)!.Path;
        var server = await NzbDavServer.CreateAsync(
            Sources(WithCatalog(environment, path, database)), path, "http://127.0.0.1:0", demo, open: false, environment is null
                ? Usual : null, time ?? TimeProvider.System, Deadline.Token);
        await server.StartAsync(Deadline.Token);
        return new Gateway(server, own, path);
    }

    /// <summary>An environment with names such as <c>WebDav:Username</c>.</summary>
    public static SettingSources Sources(IReadOnlyDictionary<string, string?> environment) => new(
        new ConfigurationBuilder().AddInMemoryCollection(
            environment.Select(pair => new KeyValuePair<string, string?>($"NzbDav:{pair.Key}", pair.Value))).Build());

    /// <summary>Drops an .nzb of the files and waits until they are in the tree.</summary>
    /// <returns>The job's collection.</returns>
    public async Task<string> ImportAsync(string job, params PostedFile[] files)
    {
        await Client.PutAsync(DavClient.Path("nzbs", "movies", job + ".nzb"), NzbWriter.ToBytes(files));
        var done = await WaitAsync(job);
        Assert.True(done?.State == JobState.Completed, done?.FailureMessage);

        // Its start is on the disk: from here on no article is fetched that the test does not ask for.
        await Services.GetRequiredService<StartKeeper>().WhenDoneAsync().WaitAsync(Deadline.Token);
        return DavClient.Path("content", "movies", job);
    }

    /// <summary>Waits for the end of the latest job with that name; null if it was deleted.</summary>
    public async Task<CatalogJob?> WaitAsync(string job)
    {
        var found = await FindJobAsync(job);
        return found is null ? null : await Services.GetRequiredService<JobOutcome>().WaitAsync(found.Id, Deadline.Token);
    }

    public async Task<CatalogJob?> FindJobAsync(string job)
    {
        CatalogJob? found = null;
        await foreach (var one in Jobs.List.EachAsync(new JobFilter { Name = job }, Deadline.Token))
            found = one;
        return found;
    }

    /// <summary>The metrics, as Prometheus reads them.</summary>
    public async Task<string> MetricsAsync()
    {
        var (status, text) = await AskWithKeyAsync("/metrics");
        Assert.Equal(HttpStatusCode.OK, status);
        return text;
    }

    /// <summary>Status and text of what the full key gets.</summary>
    public async Task<(HttpStatusCode Status, string Text)> AskWithKeyAsync(string path)
    {
        using var response = await Client.SendAsync(
            "GET", path, headers: headers => headers.Add("X-Api-Key", Services.GetRequiredService<ApiKeys>().Full));
        return (response.StatusCode, await response.Content.ReadAsStringAsync());
    }

    /// <summary>Drops all articles from memory, so that the next read has to fetch.</summary>
    public void ForgetArticles() => Usenet.Cache.Reclaim(long.MaxValue);

    /// <summary>Asserts that nothing is being read: no flight is held, and without the cache no buffer is in use.</summary>
    public async Task AssertNothingLeaksAsync()
    {
        await Deadline.UntilAsync(
            () =>
            {
                ForgetArticles();
                return Usenet.Cache.Open == 0 && Pool.Rented == 0 && Pool.Budget.Reserved == 0;
            },
            $"all buffers came back (open {Usenet.Cache.Open}, rented {Pool.Rented}, reserved {Pool.Budget.Reserved})");
        Assert.Equal(0, Usenet.QueuedRequests);
    }

    /// <summary>Copies the folder as a kill of the server would leave it, while its catalog writes nothing. SQLite only.</summary>
    public Task<Folder> ForkAsync(Folder folder) =>
        Services.GetRequiredService<CatalogDatabase>().WriteAsync(_ => folder.Fork(), WriteKind.Exclusive, Deadline.Token);

    private static Dictionary<string, string?> WithCatalog(
        IReadOnlyDictionary<string, string?>? environment, string folder, string? database)
    {
        var all = new Dictionary<string, string?>(environment ?? new Dictionary<string, string?>(), StringComparer.Ordinal);
        all.TryAdd("Catalog:Connection", database ?? TestEngine.ConnectionOf(folder));
        all.TryAdd("Gateway:LeaseSeconds", database is null ? TestEngine.LeaseSeconds : "10");
        return all;
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _server.DisposeAsync();
        _own?.Dispose();
    }
}
