using NzbDav.Access.Accounts;
using NzbDav.Access.Options;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Changing;
using NzbDav.Host.Serving;
using NzbDav.Import.Intake;
using NzbDav.Import.Queue;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Accounts;

namespace NzbDav.Host.Demo;

/// <summary>
/// A demo for people without a Usenet account: a mock provider on loopback with a small video, and an .nzb of it that is imported like
/// any other. The same video is also offered as a .torrent, by a mock swarm.
/// </summary>
internal sealed class DemoShow : IAsyncDisposable
{
    private const string Category = "movies";
    private const string JobName = "NzbDav Demo";

    /// <summary>Small articles, so that a short video has many, and a seek lands in another one.</summary>
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

    /// <summary>The account of the mock provider.</summary>
    public ProviderOptions Provider =>
        new() { Name = "demo", Host = "127.0.0.1", Port = _provider.Port, UseTls = false, MaxConnections = 10 };

    /// <exception cref="ServerStartException">The video is missing from the build output.</exception>
    /// <param name="torrents">Whether torrents are switched on.</param>
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
            MockProvider.Start(store, new MockProviderOptions { Name = "demo" }), torrents && film is not null
                ? DemoSwarm.Start(film) : null, NzbWriter.ToBytes(posted));
    }

    /// <summary>Imports the video and prints how to open it.</summary>
    public async Task ImportAsync(NzbDavServer server, TextWriter output, CancellationToken cancellationToken)
    {
        var tree = server.Services.GetRequiredService<TreeStore>();
        string[] path = [JobStore.ContentCollection, Category, JobName];
        if (await tree.ResolveAsync(path, cancellationToken) is null)
        {
            var taken = await server.Services.GetRequiredService<NzbIntake>()
                .AddAsync($"{JobName}.nzb", Category, new MemoryStream(_nzb), JobSource.Demo, cancellationToken);
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

        await output.WriteLineAsync("The demo is ready. A minute of test picture with a running clock; seek in it as you like:");
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
        await output.WriteLineAsync(
            $"  files     {root}/dav/ as a WebDAV folder ({(isOpen ? "no user, no password" : "with the user and password for players")})");
        await output.WriteLineAsync("Ctrl+C stops it.");
    }

    /// <summary>How to get into the page, as text.</summary>
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
