using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Api.Completion;
using NzbDav.Api.Sab.Calls;
using NzbDav.Arr.Client;
using NzbDav.Arr.Tests;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Arrs;
using NzbDav.Host.Settings;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Arrs;

/// <summary>What the server does for configured *arrs.</summary>
public sealed class ArrTests
{
    [Fact]
    public async Task ARR_01_An_arr_is_tested_notified_of_completions_and_given_a_download_client()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync(urlBase: "/sonarr");
        await using var gateway = await StartAsync(news, sonarr);
        var api = new SettingsClient(gateway);
        var test = (await api.SendAsync("POST", "/api/v1/arrs/0/test", body: null)).Answer;
        Assert.True(test.GetProperty("ok").GetBoolean(), test.ToString());
        Assert.Equal("4.0.0.1", test.GetProperty("version").GetString());

        var (status, registered) = await api.SendAsync(
            "POST", "/api/v1/arrs/0/register", new { host = "nzbdav", port = 8080, localPath = "/data/completed" });
        Assert.True(status == HttpStatusCode.OK && registered.GetProperty("created").GetBoolean(), registered.ToString());
        var fields = Assert.Single(sonarr.Clients)["fields"]!.AsArray()
            .ToDictionary(field => (string)field!["name"]!, field => field!["value"]?.ToString());
        Assert.Equal(("nzbdav", "8080", "tv", "good-key"), (fields["host"], fields["port"], fields["tvCategory"], fields["apiKey"]));
        Assert.Equal("/mnt/nzbdav/completed-symlinks", (string?)Assert.Single(sonarr.Mappings)["remotePath"]);

        // The *arr is notified at once, and only of its own jobs.
        var file = news.Post("Show.S01E01.mkv", 1_000_000);
        await gateway.ImportAsync("Film", news.Post("Film.mkv", 1_000_000));
        await gateway.Client.PutAsync(DavClient.Path("nzbs", "tv", "Show.nzb"), NzbWriter.ToBytes([file]));
        await Deadline.UntilAsync(() => Task.FromResult(sonarr.Commands.Count > 0), "Sonarr is notified");
        Assert.Equal("RefreshMonitoredDownloads", (string?)Assert.Single(sonarr.Commands)["name"]);

        var wrong = (await api.SendAsync("POST", "/api/v1/arrs/0/register", new { host = "http://nzbdav", port = 0 })).Status;
        Assert.Equal(HttpStatusCode.UnprocessableEntity, wrong);
        var settings = await new SettingsClient(gateway).RefusedAsync(new Dictionary<string, object>
        { ["Arrs:1:Application"] = "Whisparr", ["Arrs:2:Application"] = "Radarr", ["Arrs:2:Url"] = "radarr:7878" });
        Assert.Contains("Arrs:1:Application: it must be Sonarr, Radarr, Lidarr or Prowlarr.", settings);
        Assert.Contains(settings, fault => fault.StartsWith("Arrs:2: \"radarr:7878\" is not an address", StringComparison.Ordinal));
    }

    [Fact]
    public async Task ARR_02_A_broken_file_is_deleted_marked_and_searched_for_in_that_order()
    {
        using var library = new Folder();
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var gateway = await StartAsync(news, sonarr, ("LibraryPath", "/tv"), ("LibraryPathHere", library.Path));
        await gateway.Client.PutAsync(
            DavClient.Path("nzbs", "tv", "Show.nzb"), NzbWriter.ToBytes([news.Post("Show.S01E01.mkv", 1_000_000)]));
        var job = (await gateway.WaitAsync("Show"))!;
        var (_, link) = await gateway.Client.AskAsync("GET", "/dav/completed-symlinks/tv/Show/Show.S01E01.mkv.rclonelink");
        File.CreateSymbolicLink(Path.Combine(library.Path, "e1.mkv"), link);
        var id = NzoId.Of(job.Id);
        sonarr.Owners.Add(FakeArr.Parse("""{"id":5,"title":"Show"}"""));
        sonarr.Files.Add(FakeArr.Parse("""{"id":31,"seriesId":5,"path":"/tv/e1.mkv"}"""));
        sonarr.Episodes.Add(FakeArr.Parse("""{"id":101,"seriesId":5,"seasonNumber":1,"episodeNumber":1,"episodeFileId":31}"""));
        sonarr.History.Add(new JsonObject
        { ["id"] = 9, ["seriesId"] = 5, ["downloadId"] = id, ["eventType"] = "grabbed", ["date"] = "2030-01-01T00:00:00Z" });

        var api = new SettingsClient(gateway);
        var (status, answer) = await api.SendAsync("POST", "/api/v1/repairs", new { path = "/content/tv/Show/Show.S01E01.mkv" });
        Assert.True(status == HttpStatusCode.OK && answer.GetProperty("status").GetString() == "searching", answer.ToString());
        string[] changes = [.. sonarr.Requests.Select(request => request.Line).Where(
            line => !line.StartsWith("GET", StringComparison.Ordinal) && !line.StartsWith("POST command", StringComparison.Ordinal))];
        Assert.Equal(["DELETE episodefile/31", "POST history/failed/9"], changes);

        // Once per file, also by its id, with a clear message for unknown files.
        var file = (await api.SendAsync("GET", "/api/v1/files?path=/content/tv/Show", body: null)).Answer.GetProperty("items")[0]
            .GetProperty("id").GetString();
        answer = (await api.SendAsync("POST", "/api/v1/repairs", new { file })).Answer;
        Assert.Equal("done", answer.GetProperty("status").GetString());
        Assert.Equal(
            HttpStatusCode.UnprocessableEntity, (await api.SendAsync("POST", "/api/v1/repairs", new { path = "/content/tv/Show" })).Status);
        Assert.Equal(HttpStatusCode.UnprocessableEntity, (await api.SendAsync("POST", "/api/v1/repairs", new { file = "9999999" })).Status);
        Assert.Equal(HttpStatusCode.UnprocessableEntity, (await api.SendAsync("POST", "/api/v1/repairs", new { file = "x" })).Status);
    }

    [Fact]
    public async Task ARR_02_Stuck_imports_of_a_configured_arr_are_checked_and_problems_are_reported()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var gateway = await StartAsync(news, sonarr);
        var arrs = gateway.Services.GetRequiredService<ArrInstances>();
        await arrs.TidyAsync(Deadline.Token);
        Assert.Contains("GET queue?protocol=usenet&includeUnknownSeriesItems=true&page=1&pageSize=200", sonarr.Lines("GET"));
        Assert.Null(Assert.Single(arrs.All).Trouble);

        // Changed settings replace the instance; the others stay the same objects.
        var before = arrs.All[0];
        var api = new SettingsClient(gateway);
        await api.ChangeAsync(new Dictionary<string, object>
        { ["Arrs:1:Application"] = "Radarr", ["Arrs:1:Url"] = sonarr.Root, ["Arrs:1:ApiKey"] = "wrong" });
        Assert.Same(before, arrs.All[0]);
        await arrs.TidyAsync(Deadline.Token);
        var rows = (await api.SendAsync("GET", "/api/v1/arrs", body: null)).Answer.GetProperty("arrs").EnumerateArray().ToArray();
        Assert.Equal(["Sonarr", "Radarr"], rows.Select(row => row.GetProperty("name").GetString()));
        Assert.NotNull(rows[1].GetProperty("trouble").GetString());
        Assert.DoesNotContain(FakeArr.Key, rows[0].ToString(), StringComparison.Ordinal);
    }

    /// <summary>Prowlarr returns addresses of its own, mostly in the same private network.</summary>
    [Fact]
    public async Task ARR_01_Nzbs_are_fetched_from_a_configured_program_but_not_from_others_in_its_network()
    {
        await using var news = new NewsServers();
        await using var prowlarr = await FakeArr.StartAsync(ArrApplication.Prowlarr);
        var nzb = NzbWriter.ToBytes([news.Post("Film.mkv", 1_000_000)]);
        prowlarr.Before = async http =>
        {
            if (http.Request.Path != "/1/download")
                return false;
            await http.Response.Body.WriteAsync(nzb);
            return true;
        };
        await using var gateway = await StartAsync(news, prowlarr);
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        Assert.Equal(("Completed", ""), await GrabAsync(prowlarr.Root));
        var (status, why) = await GrabAsync(prowlarr.Root.Replace("127.0.0.1", "127.0.0.2", StringComparison.Ordinal));
        Assert.Equal("Failed", status);
        Assert.Contains("NzbDav__Api__PrivateHosts=127.0.0.2", why, StringComparison.Ordinal);

        async Task<(string? Status, string? Why)> GrabAsync(string root)
        {
            var added = JsonDocument.Parse(await http.GetStringAsync(
                $"/api?mode=addurl&apikey=good-key&cat=movies&name={Uri.EscapeDataString(root + "/1/download?file=Film.nzb")}"));
            var id = added.RootElement.GetProperty("nzo_ids")[0].GetString();
            JsonElement slot = default;
            await Deadline.UntilAsync(
                async () =>
                {
                    var history = JsonDocument.Parse(
                        await http.GetStringAsync(
                        $"/api?mode=history&apikey=good-key&status=Completed,Failed&nzo_ids={id}")).RootElement.GetProperty("history")
                        .GetProperty("slots");
                    slot = history.GetArrayLength() > 0 ? history[0] : default;
                    return slot.ValueKind == JsonValueKind.Object;
                },
                "the grab ended");
            return (slot.GetProperty("status").GetString(), slot.GetProperty("fail_message").GetString());
        }
    }

    [Fact]
    public async Task A_category_of_addresses_gives_strm_files_that_play_without_credentials()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { StrmCategories = ["tv"], StrmUrl = "http://127.0.0.1:1" });
        var (video, subtitles) = (news.Post("Show.S01E01.mkv", 3_000_000), news.Post("Show.S01E01.srt", 20_000));
        await gateway.Client.PutAsync(DavClient.Path("nzbs", "tv", "Show.nzb"), NzbWriter.ToBytes([video, subtitles]));
        await gateway.WaitAsync("Show");
        Assert.Equal(["Show.S01E01.srt", "Show.S01E01.strm"],
            (await gateway.Client.ListAsync("/dav/completed-symlinks/tv/Show")).Order(StringComparer.Ordinal));
        await gateway.Client.AssertFileAsync("/dav/completed-symlinks/tv/Show/Show.S01E01.srt", subtitles);
        var (_, text) = await gateway.Client.AskAsync("GET", "/dav/completed-symlinks/tv/Show/Show.S01E01.strm");
        Assert.StartsWith("http://127.0.0.1:1/view/", text, StringComparison.Ordinal);
        using var player = new DavClient(gateway.Root);
        await player.AssertFileAsync(text["http://127.0.0.1:1".Length..], video);

        // The address was given out, so its target stays when the *arr cleans up.
        Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", "/dav/completed-symlinks/tv/Show")).Status);
        Assert.Equal(HttpStatusCode.Forbidden, (await gateway.Client.AskAsync("DELETE", "/dav/content/tv/Show")).Status);
        await player.AssertFileAsync(text["http://127.0.0.1:1".Length..], video);

        // Other categories still get links.
        await gateway.ImportAsync("Film", news.Post("Film.mkv", 1_000_000));
        Assert.Equal(["Film.mkv.rclonelink"], await gateway.Client.ListAsync("/dav/completed-symlinks/movies/Film"));
    }

    [Fact]
    public async Task An_internal_error_ends_no_notifications()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var gateway = await StartAsync(news, sonarr);
        var completion = new FailingCompletion();
        using var arrs = new ArrInstances(
            gateway.Services.GetRequiredService<CatalogDatabase>(), gateway.Services.GetRequiredService<SettingsBook>(), gateway.Jobs,
            completion, TimeProvider.System, NullLogger<ArrInstances>.Instance);
        await arrs.StartAsync(Deadline.Token);
        foreach (var name in (string[])["One", "Two"])
        {
            await gateway.Client.PutAsync(
                DavClient.Path("nzbs", "tv", name + ".nzb"), NzbWriter.ToBytes([news.Post(name + ".mkv", 300_000)]));
            await gateway.WaitAsync(name);
        }

        await completion.Second.Task.WaitAsync(Deadline.Token);
        await arrs.StopAsync(Deadline.Token);
    }

    private static Task<Gateway> StartAsync(NewsServers news, FakeArr arr, params (string Name, string Value)[] more)
    {
        var environment = new Dictionary<string, string?>
        {
            ["Api:Key"] = SettingsClient.Key,
            ["Api:ClientKey"] = "good-key",
            ["WebDav:Username"] = Gateway.User,
            ["WebDav:Password"] = Gateway.Password,
            ["Torrents:ListenAddress"] = "127.0.0.1",
            ["Arrs:0:Application"] = arr.Application.ToString(),
            ["Arrs:0:Url"] = arr.Root + arr.UrlBase,
            ["Arrs:0:ApiKey"] = FakeArr.Key,
        };
        foreach (var (name, value) in more)
            environment[$"Arrs:0:{name}"] = value;
        foreach (var (name, value) in news.Environment)
            environment[name["NzbDav__".Length..].Replace("__", ":", StringComparison.Ordinal)] = value;
        return Gateway.StartAsync(news, environment: environment);
    }

    /// <summary>Throws what nobody expects when it is first asked.</summary>
    private sealed class FailingCompletion : ICompletion
    {
        private int _asked;

        public event Action? Shown
        {
            add { }
            remove { }
        }

        public TaskCompletionSource Second { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public bool IsVisible(CatalogJob job)
        {
            if (Interlocked.Increment(ref _asked) == 1)
                throw new InvalidOperationException("A bug.");
            Second.TrySetResult();
            return true;
        }
    }
}
