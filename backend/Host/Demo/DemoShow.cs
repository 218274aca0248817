using NzbDav.Access;
using NzbDav.Catalog;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Import;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Demo;

/// <summary>
/// A Usenet of its own for a person without an account: a mock provider on loopback that holds a small video, and an .nzb of it that goes
/// the way of any other .nzb. The same video comes from a swarm of its own, by a .torrent.
/// </summary>
internal sealed class DemoShow : IAsyncDisposable
{
    private const string Category = "movies";
    private const string JobName = "NzbDav Demo";

    /// <summary>Small articles, so that a short video is made of many and a seek is one.</summary>
    private const int ArticleSize = 100_000;

    private readonly MockProvider _provider;
    private readonly byte[] _nzb;
    private readonly DemoSwarm? _swarm;

    private DemoShow(MockProvider provider, DemoSwarm? swarm, byte[] nzb)
    {
        _provider = provider;
        _swarm = swarm;
        _nzb = nzb;
    }

    /// <summary>The account to use.</summary>
    public ProviderOptions Provider => new() { Name = "demo", Host = "127.0.0.1", Port = _provider.Port, UseTls = false, MaxConnections = 10 };

    /// <exception cref="ServerStartException">The video is not where the build puts it.</exception>
    /// <param name="torrents">Torrents are switched on.</param>
    public static DemoShow Start(bool torrents)
    {
        var folder = Path.Combine(AppContext.BaseDirectory, "demo");
        if (!Directory.Exists(folder))
            throw new ServerStartException($"the demo's video is missing: {folder} does not exist. Build the project again.");
        var store = new ArticleStore();
        var files = Directory.GetFiles(folder).Order(StringComparer.Ordinal)
            .Select(path => (Path.GetFileName(path), (IArticleSource)new MemorySource(File.ReadAllBytes(path)))).ToArray();
        var posted = store.AddPost(files, new PostOptions { ArticleSize = ArticleSize });
        var film = Directory.GetFiles(folder, "*.mkv").Order(StringComparer.Ordinal).FirstOrDefault();
        return new DemoShow(
            MockProvider.Start(store, new MockProviderOptions { Name = "demo" }), torrents && film is not null ? DemoSwarm.Start(film) : null, NzbWriter.ToBytes(posted));
    }

    /// <summary>Imports the video and says how to open it.</summary>
    public async Task ImportAsync(NzbDavServer server, TextWriter output, CancellationToken cancellationToken)
    {
        var tree = server.Services.GetRequiredService<TreeStore>();
        string[] path = [JobStore.ContentCollection, Category, JobName];
        if (await tree.ResolveAsync(path, cancellationToken) is null)
        {
            var taken = await server.Services.GetRequiredService<NzbIntake>().AddAsync($"{JobName}.nzb", Category, new MemoryStream(_nzb), JobSource.Demo, cancellationToken);
            var job = await server.Services.GetRequiredService<JobOutcome>().WaitAsync(taken.Job!.Id, cancellationToken);
            if (job?.State != JobState.Completed)
            {
                await output.WriteLineAsync($"The demo's video could not be imported: {job?.FailureMessage ?? taken.Error}");
                return;
            }
        }

        var root = Announcement.Readable(server.Urls[0]) + server.Services.GetRequiredService<LiveAccess>().Current.UrlBase;
        var files = new List<string>();
        if (await tree.ResolveAsync(path, cancellationToken) is { } folder)
        {
            await foreach (var file in tree.ListAsync(folder.Id, after: null, cancellationToken))
                files.Add($"{root}/dav/{string.Join('/', path.Append(file.Name).Select(Uri.EscapeDataString))}");
        }

        await output.WriteLineAsync("The demo is ready. A minute of test picture with a running clock; jump about in it as you like:");
        await output.WriteLineAsync($"  page      {root}/ ({await PageAccessAsync(server.Services, cancellationToken)})");
        var mp4 = files.Find(file => file.EndsWith(".mp4", StringComparison.Ordinal));
        var mkv = files.Find(file => file.EndsWith(".mkv", StringComparison.Ordinal));
        await output.WriteLineAsync($"  browser   {mp4}");
        await output.WriteLineAsync($"  VLC       vlc {mkv}");
        await output.WriteLineAsync($"  mpv       mpv {mkv}");
        await output.WriteLineAsync($"  ffplay    ffplay {mkv}");
        if (_swarm is not null && await _swarm.ImportAsync(server, Category, output, cancellationToken) is { } torrent)
            await output.WriteLineAsync($"  torrent   mpv {root}/dav/{string.Join('/', torrent.Select(Uri.EscapeDataString))}");
        var isOpen = server.Services.GetRequiredService<LiveSettings>().IsAnonymous;
        await output.WriteLineAsync($"  files     {root}/dav/ as a WebDAV folder ({(isOpen ? "no user, no password" : "with the user and password for players")})");
        await output.WriteLineAsync("Ctrl+C ends it.");
    }

    /// <summary>What the page asks of whoever opens it.</summary>
    private static async Task<string> PageAccessAsync(IServiceProvider services, CancellationToken cancellationToken)
    {
        if (await services.GetRequiredService<UserAccounts>().AnyAsync(cancellationToken))
            return "sign in with your account";
        return services.GetRequiredService<ServerFacts>().IsOpen ? "no account needed" : "the address of the set-up is above";
    }

    public async ValueTask DisposeAsync()
    {
        if (_swarm is not null)
            await _swarm.DisposeAsync();
        await _provider.DisposeAsync();
    }
}
