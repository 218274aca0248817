using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Arr.Client;
using NzbDav.Arr.Tests;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Library.Holding;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Imports;

/// <summary>
/// Content that goes away: a refused import at once, content no longer in any library in steps. Content in a library stays.
/// </summary>
public sealed class GoesTests
{
    private const string Key = SettingsClient.Key;

    [Fact]
    public async Task A_refused_import_is_deleted_with_its_files_even_if_a_mount_read_its_link()
    {
        using var library = new Folder();
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var gateway = await StartAsync(news, sonarr, library);
        var (id, job) = await ImportAsync(gateway, sonarr, news, "Refused");
        await ReadAsMountAsync(gateway, "Refused");

        // The calls of "Remove from queue" with its download: deletes the folder through the mount, then the history entry.
        Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", "/dav/completed-symlinks/tv/Refused")).Status);
        await DeleteHistoryAsync(gateway, id);
        await Deadline.UntilAsync(async () => await gateway.Client.FindAsync("/dav/content/tv/Refused") is null, "the files are gone");
        Assert.Null(await gateway.Services.GetRequiredService<TreeStore>().GetAsync(job.ItemId!.Value, Deadline.Token));
        Assert.Null(await gateway.Jobs.GetAsync(job.Id, Deadline.Token));
    }

    [Fact]
    public async Task A_file_in_a_library_survives_the_same_calls_and_is_removed_in_steps_once_its_link_is_gone()
    {
        using var library = new Folder();
        library.Write("folder.jpg", [1]);
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var gateway = await StartAsync(news, sonarr, library);
        var (id, _) = await ImportAsync(gateway, sonarr, news, "Kept");
        var target = await ReadAsMountAsync(gateway, "Kept");

        // A link that the *arr's history does not know: only the library folder says that the file is in use.
        var link = Path.Combine(library.Path, "Kept.mkv");
        File.CreateSymbolicLink(link, target);
        Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", "/dav/completed-symlinks/tv/Kept")).Status);
        await DeleteHistoryAsync(gateway, id);
        var unwanted = gateway.Services.GetRequiredService<UnwantedItems>();
        await Deadline.UntilAsync(async () => (await unwanted.ListAbandonedAsync(Deadline.Token)).Count == 0, "it is decided");
        const string File1 = "/dav/content/tv/Kept/Kept.mkv";
        Assert.NotNull(await gateway.Client.FindAsync(File1));
        var (refused, why) = await gateway.Client.AskAsync("DELETE", "/dav/content/tv/Kept");
        Assert.Equal(HttpStatusCode.Forbidden, refused);
        Assert.Contains(link, why, StringComparison.Ordinal);

        // The link is deleted and days pass.
        var keeper = gateway.Services.GetRequiredService<LibraryKeeper>();
        var now = TimeProvider.System.GetUtcNow();
        await keeper.SweepAsync(now, accept: false, Deadline.Token);
        Assert.Empty(keeper.Last!.Problems);
        File.Delete(link);
        await keeper.SweepAsync(now.AddDays(20), accept: false, Deadline.Token);
        var api = new SettingsClient(gateway);
        var lost = Assert.Single((await api.SendAsync("GET", "/api/v1/library", body: null)).Answer.GetProperty("lost").EnumerateArray());
        Assert.Equal(("/content/tv/Kept/Kept.mkv", "Lost", link), (Text(lost, "path"), Text(lost, "state"), Text(lost, "lastLink")));
        Assert.Equal(now.AddDays(27), lost.GetProperty("hideAt").GetDateTimeOffset());
        Assert.NotNull(await gateway.Client.FindAsync(File1));
        await keeper.SweepAsync(now.AddDays(27), accept: false, Deadline.Token);
        Assert.Null(await gateway.Client.FindAsync(File1));
        Assert.Empty(await gateway.Client.ListAsync("/dav/content/tv"));

        // First undone by a call. Then a library holds the file again and loses it again.
        Assert.Equal(HttpStatusCode.NoContent, await PostAsync(gateway, "/api/v1/library/keep", new { path = "/content/tv/Kept" }));
        Assert.NotNull(await gateway.Client.FindAsync(File1));
        File.CreateSymbolicLink(link, target);
        await keeper.SweepAsync(now.AddDays(28), accept: false, Deadline.Token);
        File.Delete(link);
        foreach (var day in (int[])[29, 36, 65])
        {
            await keeper.SweepAsync(now.AddDays(day), accept: false, Deadline.Token);
            Assert.NotNull(await gateway.Services.GetRequiredService<TreeStore>().ResolveAsync(["content", "tv", "Kept"], Deadline.Token));
        }

        // Nothing is removed while the *arr does not answer.
        sonarr.Before = http =>
        {
            http.Response.StatusCode = 500;
            return Task.FromResult(true);
        };
        await keeper.SweepAsync(now.AddDays(66), accept: false, Deadline.Token);
        Assert.StartsWith("Sonarr cannot be read", Assert.Single(keeper.Last!.Problems), StringComparison.Ordinal);
        Assert.NotNull(await gateway.Services.GetRequiredService<TreeStore>().ResolveAsync(["content", "tv", "Kept"], Deadline.Token));
        sonarr.Before = null;
        await keeper.SweepAsync(now.AddDays(66), accept: false, Deadline.Token);
        Assert.Null(await gateway.Services.GetRequiredService<TreeStore>().ResolveAsync(["content", "tv", "Kept"], Deadline.Token));
    }

    [Fact]
    public async Task Without_a_library_folder_a_job_that_the_arr_imported_stays()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var gateway = await StartAsync(news, sonarr, library: null);
        var (id, _) = await ImportAsync(gateway, sonarr, news, "Imported");
        await ReadAsMountAsync(gateway, "Imported");
        sonarr.History.Add(Event(2, "downloadFolderImported", id));
        Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", "/dav/completed-symlinks/tv/Imported")).Status);
        await DeleteHistoryAsync(gateway, id);
        var unwanted = gateway.Services.GetRequiredService<UnwantedItems>();
        await Deadline.UntilAsync(async () => (await unwanted.ListAbandonedAsync(Deadline.Token)).Count == 0, "it is decided");
        Assert.NotNull(await gateway.Client.FindAsync("/dav/content/tv/Imported/Imported.mkv"));
        Assert.Equal(HttpStatusCode.Forbidden, (await gateway.Client.AskAsync("DELETE", "/dav/content/tv/Imported")).Status);

        // The calls named in the refusal work, and unknown paths are reported.
        Assert.Equal(HttpStatusCode.UnprocessableEntity, await PostAsync(gateway, "/api/v1/library/delete", new { path = "/content/tv" }));
        Assert.Equal(HttpStatusCode.Conflict, await PostAsync(gateway, "/api/v1/library/keep", new { path = "/content/tv/Imported" }));
        Assert.Equal(HttpStatusCode.NoContent,
            await PostAsync(gateway, "/api/v1/library/delete", new { path = "/content/tv/Imported/Imported.mkv" }));
        Assert.Null(await gateway.Client.FindAsync("/dav/content/tv/Imported/Imported.mkv"));
        var (other, _) = await ImportAsync(gateway, sonarr, news, "Other");
        await ReadAsMountAsync(gateway, "Other");
        Assert.NotEqual(id, other);
        Assert.Equal(HttpStatusCode.Forbidden, (await gateway.Client.AskAsync("DELETE", "/dav/content/tv/Other")).Status);
        await new SettingsClient(gateway).ChangeAsync(new Dictionary<string, object> { ["WebDav:DeleteLinked"] = true });
        Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", "/dav/content/tv/Other")).Status);
    }

    private static string? Text(JsonElement element, string name) => element.GetProperty(name).GetString();

    private static async Task<HttpStatusCode> PostAsync(Gateway gateway, string path, object body)
    {
        using var client = new DavClient(gateway.Root);
        using var response = await client.SendAsync(
            "POST", path, System.Net.Http.Json.JsonContent.Create(body), headers => headers.Add("X-Api-Key", Key));
        return response.StatusCode;
    }

    /// <summary>Grabbed by the *arr, sent over the SABnzbd interface, and imported.</summary>
    private static async Task<(string Id, CatalogJob Job)> ImportAsync(Gateway gateway, FakeArr sonarr, NewsServers news, string name)
    {
        var file = news.Post(name + ".mkv", 1_000_000);
        using var form = new MultipartFormDataContent { { new ByteArrayContent(NzbWriter.ToBytes([file])), "name", name + ".nzb" } };
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        using var answer = await http.PostAsync($"/api?mode=addfile&cat=tv&output=json&apikey={Key}", form);
        var id = JsonDocument.Parse(await answer.Content.ReadAsByteArrayAsync()).RootElement.GetProperty("nzo_ids")[0].GetString()!;
        sonarr.History.Add(Event(1, "grabbed", id));
        var job = await gateway.WaitAsync(name);
        Assert.Equal(JobState.Completed, job!.State);
        return (id, job);
    }

    private static JsonObject Event(int number, string type, string id) =>
        new()
        {
            ["id"] = number,
            ["seriesId"] = 5,
            ["downloadId"] = id,
            ["eventType"] = type,
            ["date"] = TimeProvider.System.GetUtcNow().ToString("O", System.Globalization.CultureInfo.InvariantCulture)
        };

    /// <summary>Lists as <c>rclone mount --links</c> does: it reads the text of each link.</summary>
    private static async Task<string> ReadAsMountAsync(Gateway gateway, string name)
    {
        Assert.Equal([$"{name}.mkv.rclonelink"], await gateway.Client.ListAsync($"/dav/completed-symlinks/tv/{name}"));
        return (await gateway.Client.AskAsync("GET", $"/dav/completed-symlinks/tv/{name}/{name}.mkv.rclonelink")).Text;
    }

    private static async Task DeleteHistoryAsync(Gateway gateway, string id)
    {
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        var answer = await http.GetStringAsync($"/api?mode=history&name=delete&value={id}&del_files=1&archive=1&output=json&apikey={Key}");
        Assert.True(JsonDocument.Parse(answer).RootElement.GetProperty("status").GetBoolean());
    }

    private static Task<Gateway> StartAsync(NewsServers news, FakeArr arr, Folder? library)
    {
        var environment = new Dictionary<string, string?>(SettingsClient.KeyAndLogin, StringComparer.Ordinal)
        {
            ["Arrs:0:Application"] = nameof(ArrApplication.Sonarr),
            ["Arrs:0:Url"] = arr.Root,
            ["Arrs:0:ApiKey"] = FakeArr.Key,
            ["Library:Folders"] = library?.Path,
        };
        foreach (var (name, value) in news.Environment)
            environment[name["NzbDav__".Length..].Replace("__", ":", StringComparison.Ordinal)] = value;
        return Gateway.StartAsync(news, environment: environment);
    }
}
