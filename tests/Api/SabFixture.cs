using System.Net;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Attempts;
using NzbDav.Access.Keys;
using NzbDav.Api.Completion;
using NzbDav.Api.Sab;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Content.Secrets;
using NzbDav.Fakes;
using NzbDav.Import.Intake;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;

namespace NzbDav.Api.Tests;

/// <summary>The interface over a catalog in a temporary folder. No import runs: a test puts jobs into the states that it needs.</summary>
internal sealed class SabFixture : IAsyncDisposable
{
    public const string Key = "the-full-key";
    public const string ClientKey = "the-client-key";
    public const string AddKey = "the-add-key";
    public const string ReadKey = "the-read-key";
    public const string Mount = "/mnt/films";

    private readonly WebApplication _app;
    private readonly string _folder;
    private readonly bool _ownsFolder;
    private readonly CatalogDatabase _database;

    private SabFixture(WebApplication app, string folder, bool ownsFolder, CatalogDatabase database, ManualTimeProvider time)
    {
        _app = app;
        _folder = folder;
        _ownsFolder = ownsFolder;
        _database = database;
        Time = time;
        Http = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = new Uri(app.Urls.First()) };
    }

    public ManualTimeProvider Time { get; }

    public HttpClient Http { get; }

    public required StubLog Log { get; init; }

    public string Folder => _folder;

    public JobStore Jobs => Get<JobStore>();

    public TreeStore Tree => Get<TreeStore>();

    public LinkStore Links => Get<LinkStore>();

    public HoldStore Holds => Get<HoldStore>();

    public UnwantedItems Unwanted => Get<UnwantedItems>();

    public StubTraffic Traffic => (StubTraffic)Get<ISabTraffic>();

    public StubCompletion Completion => (StubCompletion)Get<ICompletion>();

    /// <param name="folder">State of an earlier fixture; null for a new folder, deleted at the end.</param>
    /// <param name="change">Changes the usual options.</param>
    /// <param name="add">Adds services.</param>
    /// <param name="use">Middleware before the interface; null for routing alone.</param>
    public static async Task<SabFixture> OpenAsync(
        string? folder = null, Func<SabOptions, SabOptions>? change = null, Action<IServiceCollection, CatalogDatabase, string>? add = null,
        Action<WebApplication>? use = null)
    {
        var path = folder ?? Directory.CreateTempSubdirectory("nzbdav-api-").FullName;
        var time = new ManualTimeProvider();
        var catalog = new CatalogOptions { ConfigFolder = path };
        var database = await CatalogOpening.OpenAsync(catalog, time, CancellationToken.None);
        var log = new StubLog();
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(server => server.Listen(IPAddress.Loopback, 0));
        builder.Services.AddRoutingCore().AddLogging(logging => logging.AddProvider(log)).AddSingleton<TimeProvider>(time);
        builder.Services.AddSingleton(catalog).AddSingleton(database).AddSingleton<BlobStore>().AddSingleton<BlobCollector>()
            .AddSingleton<ExtentMapStore>()
            .AddSingleton<TreeStore>().AddSingleton<JobStore>().AddSingleton<SettingStore>().AddSingleton<LinkStore>()
                .AddSingleton<UnwantedItems>().AddSingleton<HoldStore>().AddSingleton<AliasStore>();
        builder.Services.AddSingleton(new Live<ImportOptions>(new ImportOptions { Torrents = true })).AddSingleton<NzbIntake>()
            .AddSingleton<TorrentIntake>().AddSingleton<QueueSwitch>();
        var options = new SabOptions { MountPath = Mount, ConfigFolder = path };
        builder.Services.AddSingleton(new Live<SabOptions>(change?.Invoke(options) ?? options))
            .AddSingleton(new ApiKeys(Key, ClientKey, AddKey, ReadKey));
        builder.Services.AddSingleton(provider => new AttemptMemory(provider.GetRequiredService<TimeProvider>(), max: 10,
            TimeSpan.FromMinutes(5))).AddSingleton<AttemptGate>().AddSingleton<KeyGate>();
        builder.Services.AddSingleton<ISabTraffic, StubTraffic>().AddSingleton<ICompletion, StubCompletion>();
        builder.Services.AddSab();
        add?.Invoke(builder.Services, database, path);
        var app = builder.Build();
        if (use is null)
            app.UseRouting();
        else
            use(app);
        app.MapSab();
        await app.StartAsync();
        return new SabFixture(app, path, folder is null, database, time) { Log = log };
    }

    public T Get<T>()
        where T : notnull => _app.Services.GetRequiredService<T>();

    /// <summary>The answer to a query; the key is added unless the query has one.</summary>
    public async Task<JsonElement> AskAsync(string query, HttpContent? body = null)
    {
        using var response = await SendAsync(query, body);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal("application/json; charset=UTF-8", response.Content.Headers.ContentType!.ToString(), ignoreCase: true);
        return JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync()).RootElement;
    }

    public Task<HttpResponseMessage> SendAsync(string query, HttpContent? body = null)
    {
        var address = $"/api?output=json&{query}" + (query.Contains("apikey=", StringComparison.Ordinal) ? "" : $"&apikey={Key}");
        return body is null ? Http.GetAsync(address) : Http.PostAsync(address, body);
    }

    /// <summary>Uploads a file in a form, as the *arrs do.</summary>
    public async Task<JsonElement> UploadAsync(string field, string name, byte[] bytes, string query)
    {
        using var form = new MultipartFormDataContent();
        var part = new ByteArrayContent(bytes);
        part.Headers.ContentType = new("application/x-nzb");
        form.Add(part, field, name);
        return (await AskAsync($"mode=addfile&{query}", form)).Clone();
    }

    /// <summary>The only id in an answer.</summary>
    public static string Id(JsonElement answer) => Assert.Single(answer.GetProperty("nzo_ids").EnumerateArray()).GetString()!;

    /// <summary>The job whose id is in an answer.</summary>
    public async Task<CatalogJob> JobAsync(JsonElement answer)
    {
        Assert.True(answer.GetProperty("status").GetBoolean());
        return (await Jobs.GetAsync(NzoId.Parse(Id(answer))!.Value, CancellationToken.None))!;
    }

    /// <summary>Adds a waiting job.</summary>
    public async Task<CatalogJob> QueueAsync(string name, string category = "tv", int priority = 0)
    {
        using var nzb = new MemoryStream(Nzb(name));
        return await Jobs.EnqueueAsync(
            new NewJob
            {
                Name = name,
                Category = category,
                Source = JobSource.Api,
                Priority = priority,
                TotalBytes = 3 << 20,
                FileCount = 1
            }, nzb, CancellationToken.None);
    }

    /// <summary>Adds a job that a worker has claimed.</summary>
    public async Task<CatalogJob> RunAsync(string name, string step = "probe", string category = "tv")
    {
        await QueueAsync(name, category, priority: 9);
        var job = await Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None);
        Assert.Equal(name, job!.Name);
        await Jobs.ReportAsync(job, new JobProgress(step, 500, 3 << 20, 1), TimeSpan.FromHours(1), CancellationToken.None);
        return job;
    }

    /// <summary>Adds a completed job; each one is a minute later than the one before.</summary>
    public async Task<CatalogJob> CompleteAsync(string name, string category = "tv")
    {
        Time.Advance(TimeSpan.FromMinutes(1));
        var job = await RunAsync(name, category: category);
        await PublishAsync(job);
        return (await Jobs.GetAsync(job.Id, CancellationToken.None))!;
    }

    /// <summary>Completes a job that a worker has claimed, with one file.</summary>
    public async Task PublishAsync(CatalogJob job)
    {
        var ids = new SegmentTable.Builder();
        ids.Add("one@test"u8, 0, 1000);
        var map = await Get<ExtentMapStore>().PutAsync(ExtentMap.OfWholeSegments(ids.Build()), sizesVerified: true, CancellationToken.None);
        var publication = new JobPublication
        {
            Files = [new PublishedFile { Path = ["film.mkv"], Size = 1000, ExtentMap = map }],
            Timings = [new StepTiming("probe", TimeSpan.FromMilliseconds(120)), new StepTiming("publish", TimeSpan.FromMilliseconds(3))],
        };
        Assert.NotNull(await Jobs.PublishAsync(job, publication, CancellationToken.None));
    }

    /// <summary>Adds a failed job.</summary>
    public async Task<CatalogJob> FailAsync(
        string name, string code = ImportFailure.Missing, string message = "3 of 4 articles are gone", string category = "tv")
    {
        Time.Advance(TimeSpan.FromMinutes(1));
        var job = await RunAsync(name, category: category);
        await Jobs.FailAsync(job, code, message, CancellationToken.None);
        return (await Jobs.GetAsync(job.Id, CancellationToken.None))!;
    }

    /// <summary>An .nzb of one file in two segments.</summary>
    public static byte[] Nzb(string name) => Encoding.UTF8.GetBytes(
        $"""
        <?xml version="1.0" encoding="UTF-8"?>
        <nzb xmlns="http://www.newzbin.com/DTD/2003/nzb"><file poster="me" date="1700000000" subject="[1/1] &quot;{name}.mkv&quot; yEnc (1/2)">
        <groups><group>alt.test</group></groups>
        <segments><segment bytes="700000" number="1">{Convert.ToHexString(Encoding.UTF8.GetBytes(name))}-1@x</segment><segment bytes="700000" number="2">{Convert.ToHexString(Encoding.UTF8.GetBytes(name))}-2@x</segment></segments></file></nzb>
        """);

    public async ValueTask DisposeAsync()
    {
        Http.Dispose();
        await _app.StopAsync();
        await _app.DisposeAsync();
        await _database.DisposeAsync();
        if (_ownsFolder)
            Directory.Delete(_folder, recursive: true);
    }
}
