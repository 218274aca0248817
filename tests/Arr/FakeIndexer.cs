using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Security;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Arr.Indexers;

namespace NzbDav.Arr.Tests;

/// <summary>
/// An indexer on 127.0.0.1 with the Newznab API as real ones have it: errors are XML with the status 200, ids that it does not know are
/// error 201, and files are fetched with the key in the address.
/// </summary>
internal sealed class FakeIndexer : IAsyncDisposable
{
    public const string Key = "key-of-the-indexer";

    private readonly WebApplication _app;
    private readonly List<string> _items = [];
    private readonly ConcurrentDictionary<string, byte[]> _files = new(StringComparer.Ordinal);

    private FakeIndexer(WebApplication app) => _app = app;

    public string Root => _app.Urls.First();

    /// <summary>The queries of all searches, without the key.</summary>
    public ConcurrentQueue<string> Searches { get; } = [];

    /// <summary>The names of all files that were fetched.</summary>
    public ConcurrentQueue<string> Fetched { get; } = [];

    /// <summary>True: searches by id are refused.</summary>
    public bool KnowsNoIds { get; set; }

    /// <summary>Answers in place of everything else; null: it does not.</summary>
    public Func<HttpContext, Task>? Instead { get; set; }

    public static async Task<FakeIndexer> StartAsync()
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(static server => server.Listen(IPAddress.Loopback, 0));
        builder.Services.AddLogging();
        var app = builder.Build();
        var indexer = new FakeIndexer(app);
        app.Run(indexer.AnswerAsync);
        await app.StartAsync();
        return indexer;
    }

    public IndexerOptions Options(string name = "indexer") => new() { Name = name, Url = Root, ApiKey = Key };

    /// <summary>Lists a post, whose .nzb it serves.</summary>
    /// <param name="title">Its title.</param>
    /// <param name="nzb">Its .nzb.</param>
    /// <param name="posted">When it was posted.</param>
    /// <param name="attributes">Further attributes, as XML.</param>
    public void Add(string title, byte[] nzb, DateTimeOffset posted, string attributes = "")
    {
        var name = Guid.NewGuid().ToString("n");
        _files[name] = nzb;
        var date = posted.ToString("r", CultureInfo.InvariantCulture);
        AddItem($"""
            <item><title>{SecurityElement.Escape(title)}</title><guid>{Root}/details/{name}</guid><link>{Root}/get/{name}?apikey={Key}</link>
            <pubDate>{date}</pubDate><enclosure url="{Root}/get/{name}?apikey={Key}" length="1234567" type="application/x-nzb"/>
            <newznab:attr name="size" value="1234567"/><newznab:attr name="grabs" value="3"/>{attributes}</item>
            """);
    }

    public void AddItem(string xml) => _items.Add(xml);

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    private async Task AnswerAsync(HttpContext http)
    {
        if (Instead is { } instead)
        {
            await instead(http);
            return;
        }

        if (http.Request.Query["apikey"] != Key)
        {
            await XmlAsync("<error code=\"100\" description=\"Incorrect user credentials\"/>");
            return;
        }

        if (http.Request.Path.StartsWithSegments("/get", StringComparison.Ordinal, out var rest)
            && _files.TryGetValue(rest.Value!.Trim('/'), out var file))
        {
            Fetched.Enqueue(rest.Value.Trim('/'));
            http.Response.ContentType = "application/x-nzb";
            await http.Response.Body.WriteAsync(file);
            return;
        }

        var query = http.Request.Query;
        Searches.Enqueue(string.Join('&', query.Where(static pair => pair.Key is not ("apikey" or "extended" or "o"))
            .Select(static pair => $"{pair.Key}={pair.Value}")));
        if (KnowsNoIds && (query.ContainsKey("imdbid") || query.ContainsKey("tvdbid") || query.ContainsKey("tmdbid")))
        {
            await XmlAsync("<error code=\"201\" description=\"Incorrect parameter\"/>");
            return;
        }

        await XmlAsync($"""
            <rss version="2.0" xmlns:newznab="http://www.newznab.com/DTD/2010/feeds/attributes/" xmlns:torznab="http://torznab.com/schemas/2015/feed">
            <channel><title>feed</title><newznab:response offset="0" total="{_items.Count}"/>{string.Concat(_items)}</channel></rss>
            """);

        async Task XmlAsync(string xml)
        {
            http.Response.ContentType = "application/xml";
            await http.Response.Body.WriteAsync(Encoding.UTF8.GetBytes("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + xml));
        }
    }
}
