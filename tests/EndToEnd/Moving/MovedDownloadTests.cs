using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Moving;

/// <summary>Downloads that an *arr waits for keep the ids that it knows.</summary>
public sealed class MovedDownloadTests
{
    [Theory]
    [InlineData(NzbdavEra.First)]
    [InlineData(NzbdavEra.Multipart)]
    [InlineData(NzbdavEra.QueueTexts)]
    [InlineData(NzbdavEra.Blobs)]
    [InlineData(NzbdavEra.Infinidysk)]
    public async Task An_arr_finds_an_nzbdav_download_by_its_old_id(NzbdavEra era)
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var (done, gone, waiting) = (news.Post("done.mkv", 600_000), news.Post("gone.mkv", 500_000), news.Post("waiting.mkv", 400_000));
        string finished, queued;
        using (var fixture = new NzbdavFixture(old.Path, era))
        {
            var release = fixture.Add(
                "tv", "Done", NzbWriter.ToBytes([done]), null, new FixtureFile("done.mkv", done.Length, [FixturePart.Whole(done)]));
            finished = fixture.Finish(release, "tv", "Done");
            fixture.Add(
                "tv", "Imported", NzbWriter.ToBytes([gone]), null, new FixtureFile("gone.mkv", gone.Length, [FixturePart.Whole(gone)]));
            queued = fixture.Queue("tv", "Waiting", NzbWriter.ToBytes([waiting])).ToString("D");
        }

        await AssertDownloadsAsync(news, folder, "nzbdav", old, [("Done", finished), ("Waiting", queued)]);
    }

    [Theory]
    [InlineData(18)]
    [InlineData(34)]
    public async Task An_arr_finds_an_altmount_download_by_its_old_id(int schema)
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var (done, gone, waiting) = (news.Post("done.mkv", 600_000), news.Post("gone.mkv", 500_000), news.Post("waiting.mkv", 400_000));
        var fixture = new AltmountFixture(old.Path, schema);
        fixture.AddFirst("tv/Done/done.mkv", done.Length,
            done.Segments.Select(segment => (segment.MessageId, (long)segment.Size, 0L, segment.Size - 1L)));
        fixture.AddFirst("tv/Imported/gone.mkv", gone.Length,
            gone.Segments.Select(segment => (segment.MessageId, (long)segment.Size, 0L, segment.Size - 1L)));
        fixture.Queue(7, "/config/.nzbs/Done.nzb", "tv", "completed", "/tv/Done", schema < 19 ? null : "a-download");
        File.WriteAllBytes(Path.Combine(old.Path, "Waiting.nzb"), NzbWriter.ToBytes([waiting]));
        fixture.Queue(9, "/config/Waiting.nzb", "tv", "pending");

        await AssertDownloadsAsync(news, folder, "altmount", old, [("Done", schema < 19 ? "7" : "a-download"), ("Waiting", "9")]);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(6)]
    public async Task An_arr_finds_a_SABnzbd_download_by_its_old_id(int version)
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var fixture = new SabnzbdFixture(old.Path, version);
        var (done, gone, waiting) = (news.Post("done.mkv", 600_000), news.Post("gone.mkv", 500_000), news.Post("waiting.mkv", 400_000));
        fixture.Add("Done", "tv", "Completed", [done]);
        fixture.Keep("Done", [done]);
        if (version >= 4)
        {
            fixture.Add("Imported", "tv", "Completed", [gone]);
            fixture.Keep("Imported", [gone]);
            fixture.Archive("Imported");
        }

        fixture.Leave("Waiting", [waiting], "tv");
        await AssertDownloadsAsync(
            news, folder, "sabnzbd", old, [("Done", SabnzbdFixture.IdOf("Done")), ("Waiting", SabnzbdFixture.IdOf("Waiting"))]);
    }

    /// <summary>Moves the library and asks as an *arr does. Downloads it waits for have the ids it knows, and those it is done with are not
    /// shown again.</summary>
    private static async Task AssertDownloadsAsync(
        NewsServers news, Folder folder, string product, Folder old, (string Name, string Id)[] expected)
    {
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Api__Key"] = MoveFixture.Key;

        // Before anything is imported, the queue already lists the downloads.
        var (exit, output, errors) = await ServerHere.RunAsync(
            environment, "migrate", "--config", folder.Path, "--from", product, old.Path, "--queue-only");
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        await using var server = ServerHere.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        await Deadline.UntilAsync(async () => (await SlotsAsync(client, "queue")).Count == 0, "all are imported");

        var shown = await SlotsAsync(client, "history");
        Assert.Equal(expected.OrderBy(one => one.Name, StringComparer.Ordinal),
            shown.Select(slot => (slot.Name, slot.Id)).OrderBy(one => one.Name, StringComparer.Ordinal));
        foreach (var (name, id) in expected)
        {
            var slot = Assert.Single(await SlotsAsync(client, $"history&category=tv&nzo_ids={id}"));
            Assert.Equal((name, "Completed"), (slot.Name, slot.Status));
            Assert.EndsWith($"/completed-symlinks/tv/{name}", slot.Storage, StringComparison.Ordinal);
        }

        // The *arr deletes what it has imported.
        await AskAsync(client, $"history&name=delete&value={expected[0].Id}&archive=1");
        Assert.Equal(expected[1].Id, Assert.Single(await SlotsAsync(client, "history")).Id);
        Assert.Contains(expected[0].Id, (await SlotsAsync(client, "history&archive=1")).Select(slot => slot.Id));
    }

    private static async Task<List<(string Id, string Name, string Status, string Storage)>> SlotsAsync(DavClient client, string query)
    {
        var list = (await AskAsync(client, query)).GetProperty(query.Split('&')[0]);
        return [.. list.GetProperty("slots").EnumerateArray().Select(slot => (
            slot.GetProperty("nzo_id").GetString()!,
            slot.TryGetProperty("name", out var name) ? name.GetString()! : slot.GetProperty("filename").GetString()!,
            slot.GetProperty("status").GetString()!,
            slot.TryGetProperty("storage", out var storage) ? storage.GetString()! : ""))];
    }

    private static async Task<JsonElement> AskAsync(DavClient client, string query) =>
        JsonDocument.Parse(
            await client.Http.GetStringAsync($"/api?output=json&apikey={MoveFixture.Key}&limit=100&mode={query}")).RootElement;
}
