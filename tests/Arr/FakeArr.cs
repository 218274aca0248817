using System.Text;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using NzbDav.Arr.Client;

namespace NzbDav.Arr.Tests;

/// <summary>
/// An application on 127.0.0.1 that behaves like the real ones where it matters: 401 without the key, pages of 10 by default, 307 to the
/// URL base, the interface's HTML for everything outside the API, 404 with a message, 500 when a grab is gone, 400 with an array after a
/// failed validation, numbers as numbers and states as camel-case text.
/// </summary>
internal sealed class FakeArr : IAsyncDisposable
{
    public const string Key = "0123456789abcdef0123456789abcdef";

    private readonly WebApplication _app;
    private readonly string _api;

    private FakeArr(ArrApplication application, string urlBase)
    {
        (Application, UrlBase) = (application, urlBase);
        _api = application is ArrApplication.Sonarr or ArrApplication.Radarr ? "/api/v3/" : "/api/v1/";
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        _app = builder.Build();
        _app.Run(HandleAsync);
    }

    public ArrApplication Application { get; }

    public string UrlBase { get; }

    public string Root => _app.Urls.First();

    public List<FakeRequest> Requests { get; } = [];

    public List<JsonObject> Queue { get; } = [];

    public List<JsonObject> History { get; } = [];

    public List<JsonObject> Files { get; } = [];

    public List<JsonObject> Owners { get; } = [];

    public List<string> Roots { get; } = ["/tv"];

    public List<JsonObject> Episodes { get; } = [];

    /// <summary>Paths of the files that it sees.</summary>
    public List<string> Disk { get; } = [];

    public List<JsonObject> Clients { get; } = [];

    public List<JsonObject> Mappings { get; } = [];

    public List<JsonObject> Commands { get; } = [];

    public bool AutoRedownloadFailed { get; set; } = true;

    public bool CompletedHandling { get; set; } = true;

    /// <summary>Handles a request first; true if it answered.</summary>
    public Func<HttpContext, Task<bool>>? Before { get; set; }

    private string FileResource =>
        Application switch { ArrApplication.Sonarr => "episodefile", ArrApplication.Radarr => "moviefile", _ => "trackfile" };

    private string OwnerResource =>
        Application switch { ArrApplication.Sonarr => "series", ArrApplication.Radarr => "movie", _ => "artist" };

    private string OwnerId =>
        Application switch { ArrApplication.Sonarr => "seriesId", ArrApplication.Radarr => "movieId", _ => "artistId" };

    public static async Task<FakeArr> StartAsync(ArrApplication application = ArrApplication.Sonarr, string urlBase = "")
    {
        var fake = new FakeArr(application, urlBase);
        await fake._app.StartAsync();
        return fake;
    }

    public ArrOptions Options() => new() { Application = Application, Url = Root + UrlBase, ApiKey = Key, RetryDelay = TimeSpan.Zero };

    public ArrClient Client(TimeProvider? time = null) => new(Options(), time);

    public string[] Lines(string method)
    {
        lock (Requests)
            return [.. Requests.Select(request => request.Line).Where(line => line.StartsWith(method + " ", StringComparison.Ordinal))];
    }

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    public static JsonObject Parse(string json) => JsonNode.Parse(json)!.AsObject();

    private static Task JsonAsync(HttpContext context, JsonNode body, int status = 200)
    {
        context.Response.StatusCode = status;
        context.Response.ContentType = "application/json; charset=utf-8";
        return context.Response.Body.WriteAsync(Encoding.UTF8.GetBytes(body.ToJsonString())).AsTask();
    }

    private static Task MissingAsync(HttpContext context) => JsonAsync(context, Parse("""{"message":"NotFound","description":"no such row"}"""), 404);

    private static JsonArray Copy(IEnumerable<JsonObject> rows) => [.. rows.Select(row => row.DeepClone())];

    private static Task PageAsync(HttpContext context, IEnumerable<JsonObject> rows)
    {
        var all = rows.ToArray();
        var page = int.TryParse(context.Request.Query["page"], out var p) ? p : 1;
        var size = int.TryParse(context.Request.Query["pageSize"], out var s) ? s : 10;
        return JsonAsync(context, new JsonObject
        {
            ["page"] = page,
            ["pageSize"] = size,
            ["sortKey"] = "date",
            ["sortDirection"] = "descending",
            ["totalRecords"] = all.Length,
            ["records"] = Copy(all.Skip((page - 1) * size).Take(size)),
        });
    }

    private async Task HandleAsync(HttpContext context)
    {
        var path = context.Request.Path.Value!;
        if (Before is { } before && await before(context))
            return;
        if (UrlBase.Length > 0 && !path.StartsWith(UrlBase + "/", StringComparison.Ordinal))
        {
            context.Response.StatusCode = 307;
            context.Response.Headers.Location = UrlBase + path + context.Request.QueryString;
            return;
        }

        path = path[UrlBase.Length..];
        if (!path.StartsWith("/api/", StringComparison.Ordinal))
        {
            context.Response.ContentType = "text/html";
            await context.Response.WriteAsync("<!doctype html><title>App</title>");
            return;
        }

        if (context.Request.Headers["X-Api-Key"] != Key)
        {
            context.Response.StatusCode = 401;
            return;
        }

        if (!path.StartsWith(_api, StringComparison.Ordinal))
        {
            await MissingAsync(context);
            return;
        }

        var body = context.Request.ContentLength > 0 ? await JsonNode.ParseAsync(context.Request.Body) : null;
        path = path[_api.Length..];
        lock (Requests)
            Requests.Add(new FakeRequest($"{context.Request.Method} {path}{context.Request.QueryString}", body));
        await ActAsync(context, context.Request.Method, path.Split('/'), body);
    }

    private Task ActAsync(HttpContext context, string method, string[] parts, JsonNode? body)
    {
        var query = context.Request.Query;
        var last = int.TryParse(parts[^1], out var number) ? number : 0;
        switch (method, parts[0])
        {
            case ("GET", "system"):
                return JsonAsync(context, new JsonObject
                { ["appName"] = Application.ToString(), ["instanceName"] = "Test", ["version"] = "4.0.0.1", ["urlBase"] = UrlBase });
            case ("GET", "queue") when parts.Length > 1:
                return JsonAsync(context, Parse("""{"totalCount":3,"count":2,"unknownCount":1,"errors":true,"warnings":false,"unknownErrors":false,"unknownWarnings":true}"""));
            case ("GET", "queue"):
                var unknown = query.Any(pair => pair.Key.StartsWith("includeUnknown", StringComparison.Ordinal) && pair.Value == "true");
                return PageAsync(context, Queue.Where(row => (query["protocol"].Count == 0 || query["protocol"] == (string?)row["protocol"])
                    && (unknown || row[OwnerId] is not null)));
            case ("DELETE", "queue"):
                if (Queue.Find(row => (int)row["id"]! == last) is not { } item)
                    return MissingAsync(context);
                Queue.RemoveAll(row => (string?)row["downloadId"] == (string?)item["downloadId"]);
                return JsonAsync(context, new JsonObject());
            case ("GET", "history") when parts[^1] == "since":
                var since = DateTimeOffset.Parse(query["date"]!, System.Globalization.CultureInfo.InvariantCulture);
                return JsonAsync(context, Copy(History.Where(
                    one => DateTimeOffset.Parse((string)one["date"]!, System.Globalization.CultureInfo.InvariantCulture) >= since)));
            case ("GET", "history"):
                return PageAsync(
                    context, History.Where(row => query["downloadId"].Count == 0 || query["downloadId"] == (string?)row["downloadId"]));
            case ("POST", "history"):
                var row = History.Find(row => (int)row["id"]! == last);
                if (row is null || !History.Any(
                    other => (string?)other["downloadId"] == (string?)row["downloadId"] && (string?)other["eventType"] == "grabbed"))
                    return JsonAsync(context, Parse("""{"message":"Sequence contains no elements"}"""), 500);
                var failed = row.DeepClone().AsObject();
                (failed["id"], failed["eventType"], failed["date"]) = (last + 1000, "downloadFailed", "2030-01-03T00:00:00Z");
                History.Add(failed);
                return JsonAsync(context, new JsonObject());
            case ("POST", "command"):
                Commands.Add(body!.AsObject());
                return JsonAsync(
                    context, new JsonObject { ["id"] = Commands.Count, ["name"] = (string?)body["name"], ["status"] = "queued" }, 201);
            case ("GET", "command"):
                return JsonAsync(
                    context, new JsonObject { ["id"] = last, ["name"] = (string?)Commands[last - 1]["name"], ["status"] = "completed" });
            case ("GET", "episode"):
                return JsonAsync(
                    context, Copy(Episodes.Where(episode => (int)episode["episodeFileId"]! == int.Parse(query["episodeFileId"]!))));
            case ("GET", "rootfolder"):
                return JsonAsync(
                    context, new JsonArray(
                    [.. Roots.Select((root, i) => new JsonObject { ["id"] = i + 1, ["path"] = root, ["accessible"] = true,
                    ["freeSpace"] = 5_000_000_000, ["unmappedFolders"] = new JsonArray() })]));
            case ("GET", "filesystem"):
                // Only what lies directly in a path with a separator at its end; nothing of one that is not there.
                var folder = (string)query["path"]!;
                folder = folder[..(folder.LastIndexOf('/') + 1)];
                var below = Disk.Where(file => file.StartsWith(folder, StringComparison.Ordinal)).ToArray();
                var folders = below.Where(file => file.IndexOf('/', folder.Length) >= 0)
                    .Select(file => file[..(file.IndexOf('/', folder.Length) + 1)]);
                return JsonAsync(context, new JsonObject
                {
                    ["parent"] = folder,
                    ["directories"] = new JsonArray(
                        [.. folders.Distinct().Select(one => new JsonObject { ["type"] = "folder", ["path"] = one })]),
                    ["files"] = new JsonArray([.. below.Where(file => file.IndexOf('/', folder.Length) < 0)
                        .Select(one => new JsonObject { ["type"] = "file", ["path"] = one, ["size"] = 1 })]),
                });
            case ("GET", "config"):
                return JsonAsync(context, new JsonObject
                {
                    ["id"] = 1,
                    ["enableCompletedDownloadHandling"] = CompletedHandling,
                    ["autoRedownloadFailed"] = AutoRedownloadFailed
                });
            case ("GET", "remotepathmapping"):
                return JsonAsync(context, Copy(Mappings));
            case (_, "remotepathmapping"):
                return SaveAsync(context, Mappings, body!.AsObject(), last);
            case (_, "downloadclient"):
                return DownloadClientAsync(context, method, parts, body, last);
        }

        if (parts[0] == OwnerResource)
            return JsonAsync(context, Copy(Owners));
        if (parts[0] != FileResource)
            return MissingAsync(context);
        if (parts.Length == 1)
            return JsonAsync(context, Copy(Files.Where(file => (int)file[OwnerId]! == int.Parse(query[OwnerId]!))));
        var found = Files.Find(file => (int)file["id"]! == last);
        if (found is null)
            return MissingAsync(context);
        if (method == "DELETE")
        {
            Files.Remove(found);
            Episodes.RemoveAll(episode => (int)episode["episodeFileId"]! == last);
            return JsonAsync(context, new JsonObject());
        }

        return JsonAsync(context, found.DeepClone());
    }

    private Task DownloadClientAsync(HttpContext context, string method, string[] parts, JsonNode? body, int last)
    {
        if (method == "GET")
            return JsonAsync(context, parts.Length == 1 ? Copy(Clients) : Copy([Schema("QBittorrent"), Schema("Sabnzbd")]));
        var fields = body!["fields"]!.AsArray().ToDictionary(field => (string)field!["name"]!, field => field!["value"]);

        // A real application calls the client; this one compares with a single right key. The port must be a number, because model binding
        // requires it.
        if (fields["port"]!.GetValueKind() != System.Text.Json.JsonValueKind.Number
            || (string?)fields[(string)body["implementation"]! == "QBittorrent" ? "password" : "apiKey"] != "good-key")
            return JsonAsync(context, JsonNode.Parse("""[{"isWarning":false,"propertyName":"APIKey","errorMessage":"API Key Incorrect","severity":"error"}]""")!, 400);
        return parts[^1] == "test" ? JsonAsync(context, new JsonObject()) : SaveAsync(context, Clients, body.AsObject(), last);
    }

    private JsonObject Schema(string implementation)
    {
        var category = Application switch
        {
            ArrApplication.Sonarr => "tvCategory",
            ArrApplication.Radarr => "movieCategory",
            ArrApplication.Lidarr => "musicCategory",
            _ => "category"
        };
        var schema = Parse("""
            {"enable":true,"protocol":"usenet","priority":1,"removeCompletedDownloads":true,"removeFailedDownloads":true,"configContract":"X","tags":[],"fields":[
            {"order":0,"name":"host","label":"Host","value":"localhost","type":"textbox"},{"order":1,"name":"port","value":8080,"type":"textbox"},
            {"order":2,"name":"useSsl","value":false},{"order":3,"name":"urlBase"},{"order":4,"name":"apiKey"},{"order":5,"name":"recentPriority","value":-100}]}
            """);
        schema["implementation"] = implementation;
        if (implementation == "QBittorrent")
        {
            // As in 2025 and before: a user name and a password, no key.
            schema["protocol"] = "torrent";
            var fields = schema["fields"]!.AsArray();
            fields.Remove(fields.Single(field => (string)field!["name"]! == "apiKey"));
            fields.Add(new JsonObject { ["order"] = 4, ["name"] = "username" });
            fields.Add(new JsonObject { ["order"] = 5, ["name"] = "password" });
        }

        schema["fields"]!.AsArray().Add(new JsonObject { ["order"] = 6, ["name"] = category, ["value"] = "x" });
        return schema;
    }

    private static Task SaveAsync(HttpContext context, List<JsonObject> rows, JsonObject row, int id)
    {
        row = row.DeepClone().AsObject();
        rows.RemoveAll(other => id > 0 && (int)other["id"]! == id);
        row["id"] = id > 0 ? id : rows.Count + 1;
        rows.Add(row);
        return JsonAsync(context, row.DeepClone(), id > 0 ? 202 : 201);
    }
}
