using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Arrs;

/// <summary>The whole life of a download as Sonarr handles it, over the SABnzbd interface and the tree.</summary>
public sealed class ArrFlowTests
{
    private const string Key = "0123456789abcdef";

    [Fact]
    public async Task SAB_08_A_grab_is_imported_through_links_and_cleaned_up()
    {
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news);
        var file = news.Post("Show.S01E01.mkv", 3_000_000);
        var id = await GrabAsync(gateway, "Show.S01E01.1080p-GROUP.nzb", file);
        var slot = await EndAsync(gateway, id);
        Assert.Equal("Completed", slot.GetProperty("status").GetString());
        var storage = slot.GetProperty("storage").GetString()!;
        Assert.Equal("/mnt/nzbdav/completed-symlinks/tv/Show.S01E01.1080p-GROUP", storage);

        // Listed in the mount at the moment it is reported complete; rclone shows the file as a link to the path in its text.
        var folder = "/dav" + storage["/mnt/nzbdav".Length..];
        Assert.Equal(["Show.S01E01.mkv.rclonelink"], await gateway.Client.ListAsync(folder));
        var (_, target) = await gateway.Client.AskAsync("GET", folder + "/Show.S01E01.mkv.rclonelink");
        Assert.StartsWith("/mnt/nzbdav/.ids/", target, StringComparison.Ordinal);
        var link = "/dav" + target["/mnt/nzbdav".Length..];
        await gateway.Client.AssertFileAsync(link, file);

        // Sonarr moves the link into its library, removes the folder, and deletes the history entry. The link's target stays.
        Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", folder)).Status);
        Assert.True(
            (await AskAsync(gateway, $"mode=history&name=delete&value={id}&del_files=1&archive=1")).GetProperty("status").GetBoolean());
        Assert.Empty(Slots(await AskAsync(gateway, "mode=history&limit=60"), "history"));
        await gateway.Client.AssertFileAsync(link, file);
    }

    [Fact]
    public async Task SAB_09_A_dead_post_fails_so_that_the_arr_searches_again()
    {
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news);
        var file = news.Post("Gone.mkv", 3_000_000);
        news.Fault(Fault.Missing, FaultTarget.File(file));
        var id = await GrabAsync(gateway, "Gone.nzb", file);
        var slot = await EndAsync(gateway, id);
        Assert.Equal("Failed", slot.GetProperty("status").GetString());
        Assert.StartsWith("Aborted, cannot be completed", slot.GetProperty("fail_message").GetString(), StringComparison.Ordinal);
        Assert.True(
            (await AskAsync(gateway, $"mode=history&name=delete&value={id}&del_files=1&archive=0")).GetProperty("status").GetBoolean());
        Assert.Empty(Slots(await AskAsync(gateway, "mode=history&limit=60"), "history"));
        Assert.Null(await gateway.Client.FindAsync("/dav/content/tv/Gone"));
    }

    [Fact]
    public async Task SAB_11_A_new_category_has_its_folders_before_any_job()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: new Dictionary<string, string?>
        {
            ["Api:Key"] = Key,
            ["WebDav:Username"] = Gateway.User,
            ["WebDav:Password"] = Gateway.Password,
            ["Torrents:Enabled"] = "false"
        });
        await new SettingsClient(gateway, Key)
            .ChangeAsync(new Dictionary<string, object> { ["Import:Categories"] = new[] { "tv", "Anime ü" } });
        var names = (await AskAsync(gateway, "mode=get_cats")).GetProperty("categories").EnumerateArray().Select(name => name.GetString()!)
            .Where(name => name != "*").ToArray();
        Assert.Contains("Anime ü", names);
        var misc = (await AskAsync(gateway, "mode=get_config")).GetProperty("config");
        var complete = misc.GetProperty("misc").GetProperty("complete_dir").GetString()!;
        foreach (var category in misc.GetProperty("categories").EnumerateArray()
            .Where(category => category.GetProperty("name").GetString() != "*"))
        {
            // The folder where the *arrs look, in the mount.
            var folder = complete["/mnt/nzbdav".Length..].Split('/', StringSplitOptions.RemoveEmptyEntries)
                .Append(category.GetProperty("dir").GetString()!).ToArray();
            Assert.Equal(HttpStatusCode.MultiStatus, (await gateway.Client.AskAsync("PROPFIND", DavClient.Path(folder))).Status);
            Assert.Empty(await gateway.Client.ListAsync(DavClient.Path(folder) + "/"));
            Assert.Empty(await gateway.Client.ListAsync(DavClient.Path("nzbs", category.GetProperty("name").GetString()!) + "/"));
        }
    }

    [Fact]
    public async Task SAB_07_A_job_keeps_the_same_id_everywhere_and_over_a_restart()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var file = news.Post("Show.mkv", 3_000_000);
        string id;
        await using (var gateway = await StartAsync(news, folder))
        {
            await AskAsync(gateway, "mode=pause");
            id = await GrabAsync(gateway, "Show.nzb", file);
            Assert.Equal((id, "Paused"), (Slots(await AskAsync(gateway, "mode=queue"), "queue")[0].GetProperty("nzo_id").GetString(),
                Slots(await AskAsync(gateway, "mode=queue"), "queue")[0].GetProperty("status").GetString()));
        }

        await using var again = await StartAsync(news, folder);
        Assert.Equal(id, Slots(await AskAsync(again, "mode=queue"), "queue")[0].GetProperty("nzo_id").GetString());
        await AskAsync(again, "mode=resume");
        Assert.Equal("Completed", (await EndAsync(again, id)).GetProperty("status").GetString());
    }

    /// <summary>A container whose file system is read-only except for the configuration folder. Leftovers of a crash are removed.</summary>
    [Fact]
    public async Task OPS_01_Uploads_need_only_the_configuration_folder_to_be_writable()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var leftover = Path.Combine(Directory.CreateDirectory(Path.Combine(folder.Path, "cache")).FullName, "ASPNETCORE_left.tmp");
        await File.WriteAllTextAsync(leftover, "of a crash");
        var environment = ServerProcess.Environment(news);
        (environment["TMPDIR"], environment["NzbDav__Api__Key"]) = (Path.Combine(folder.Path, "nowhere"), Key);
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        Assert.False(File.Exists(leftover));

        // Larger than what the framework keeps in memory.
        var nzb = NzbWriter.ToBytes([news.Post("Show.mkv", 3_000_000)]);
        Array.Resize(ref nzb, 1 << 20);
        nzb.AsSpan().Replace((byte)0, (byte)' ');
        using var form = new MultipartFormDataContent { { new ByteArrayContent(nzb), "name", "Show.nzb" } };
        using var response = await client.Http.PostAsync($"/api?mode=addfile&cat=tv&apikey={Key}", form);
        Assert.Contains("SABnzbd_nzo_", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);

        // The first secret makes the key that encrypts it.
        using var secret = new HttpRequestMessage(HttpMethod.Patch, "/api/v1/settings")
        {
            Headers = { { "X-Api-Key", Key } },
            Content = JsonContent.Create(new Dictionary<string, string> { ["Api:ReadKey"] = "another-key-of-it" })
        };
        using var stored = await client.Http.SendAsync(secret);
        Assert.True(stored.IsSuccessStatusCode, await stored.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task A_forced_job_runs_while_the_queue_is_paused()
    {
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news);
        await AskAsync(gateway, "mode=pause");
        var waits = await GrabAsync(gateway, "Waits.nzb", news.Post("Waits.mkv", 1_000_000));
        var forced = await GrabAsync(gateway, "Forced.nzb", news.Post("Forced.mkv", 1_000_000), "&priority=2");
        Assert.Equal("Completed", (await EndAsync(gateway, forced)).GetProperty("status").GetString());
        Assert.Equal([waits], Slots(await AskAsync(gateway, "mode=queue"), "queue").Select(slot => slot.GetProperty("nzo_id").GetString()));
    }

    [Fact]
    public async Task A_speed_limit_covers_all_providers_and_survives_a_restart()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var file = news.Post("Show.mkv", 3_000_000);
        await using (var gateway = await StartAsync(news, folder))
        {
            Assert.True((await AskAsync(gateway, "mode=config&name=speedlimit&value=20M")).GetProperty("status").GetBoolean());
            Assert.Equal(20 << 20, gateway.Usenet.SpeedLimit);
            var id = await GrabAsync(gateway, "Show.nzb", file);
            await EndAsync(gateway, id);
            await gateway.Client.AssertFileAsync("/dav/content/tv/Show/Show.mkv", file);
        }

        await using var again = await StartAsync(news, folder);
        Assert.Equal(20 << 20, again.Usenet.SpeedLimit);
    }

    private static Task<Gateway> StartAsync(NewsServers news, Folder? folder = null) =>
        Gateway.StartAsync(news, folder, settings => settings with { Api = new ApiSettings { Key = Key } });

    private static async Task<JsonElement> AskAsync(Gateway gateway, string query, HttpContent? body = null)
    {
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        var address = $"/api?output=json&apikey={Key}&{query}";
        using var response = body is null ? await http.GetAsync(address) : await http.PostAsync(address, body);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        return JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync()).RootElement.Clone();
    }

    private static List<JsonElement> Slots(JsonElement answer, string which) =>
        [.. answer.GetProperty(which).GetProperty("slots").EnumerateArray()];

    private static async Task<string> GrabAsync(Gateway gateway, string name, PostedFile file, string more = "")
    {
        using var form = new MultipartFormDataContent { { new ByteArrayContent(NzbWriter.ToBytes([file])), "name", name } };
        var answer = await AskAsync(gateway, "mode=addfile&cat=tv" + more, form);
        Assert.True(answer.GetProperty("status").GetBoolean());
        return answer.GetProperty("nzo_ids")[0].GetString()!;
    }

    /// <summary>Polls the queue and the history as the *arrs do until the job has ended; it is always in one of the two.</summary>
    private static async Task<JsonElement> EndAsync(Gateway gateway, string id)
    {
        JsonElement ended = default;
        await Deadline.UntilAsync(
            async () =>
            {
                foreach (var slot in Slots(await AskAsync(gateway, "mode=queue&start=0&limit=0&category=tv"), "queue"))
                    Assert.NotEqual("Completed", slot.GetProperty("status").GetString());
                foreach (var slot in Slots(await AskAsync(gateway, "mode=history&start=0&limit=60&category=tv"), "history")
                    .Where(slot => slot.GetProperty("nzo_id").GetString() == id))
                {
                    if (slot.GetProperty("status").GetString() is not ("Completed" or "Failed"))
                        continue;
                    ended = slot;
                    return true;
                }

                return false;
            },
            $"{id} ended");
        return ended;
    }
}
