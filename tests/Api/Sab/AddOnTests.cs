using System.Net;
using System.Text.Json;
using System.Xml.Linq;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Tests.Sab;

/// <summary>What programs written for nzbdav and dashboards ask for beside the *arrs, from their public sources.</summary>
public sealed class AddOnTests
{
    [Fact]
    public async Task Categories_are_found_in_any_case_and_answered_as_asked()
    {
        await using var sab = await SabFixture.OpenAsync();
        var answer = await sab.UploadAsync("nzbfile", "Some Film.nzb", SabFixture.Nzb("Some Film"), "cat=Movies&nzbname=Some%20Film");
        var id = SabFixture.Id(answer);
        Assert.Equal("Movies", Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue&cat=Movies"))).Category);
        Assert.Equal("movies", Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue"))).Category);

        var job = await sab.Jobs.GetAsync(NzoId.Parse(id)!.Value, CancellationToken.None);
        Assert.Equal("movies", job!.Category);
        var done = await sab.CompleteAsync("Other Film", "movies");

        // AIOStreams: history with nzo_ids and category. UsenetStreamer: start, limit and category.
        foreach (var query in (string[])[$"nzo_ids={NzoId.Of(done.Id)}&category=Movies", "start=0&limit=50&category=Movies",
            "cat=MOVIES,tv"])
        {
            var history = await sab.AskAsync("mode=history&" + query);
            Assert.True(history.GetProperty("status").GetBoolean());
            var slot = Assert.Single(ArrReader.History(history));
            Assert.Equal(
                ("Completed", query.StartsWith("cat", StringComparison.Ordinal) ? "MOVIES" : "Movies"), (slot.Status, slot.Category));
            Assert.Equal("/mnt/films/completed-symlinks/movies/Other Film", slot.Storage);
        }

        Assert.Empty(ArrReader.History(await sab.AskAsync("mode=history&category=TV")));
        Assert.True((await sab.AskAsync($"mode=history&last_history_update={Last(await sab.AskAsync("mode=history"))}"))
            .GetProperty("status").GetBoolean());

        static long Last(JsonElement history) => history.GetProperty("history").GetProperty("last_history_update").GetInt64();
    }

    [Fact]
    public async Task All_failed_jobs_are_retried_at_once()
    {
        await using var sab = await SabFixture.OpenAsync();
        await sab.FailAsync("one");
        await sab.FailAsync("two");
        await sab.CompleteAsync("three");
        var renewed = (await sab.AskAsync("mode=retry_all")).GetProperty("status").EnumerateArray().Select(id => id.GetString()).ToList();
        Assert.Equal(
            ["one", "two"], ArrReader.Queue(await sab.AskAsync("mode=queue")).Select(slot => slot.Title).Order(StringComparer.Ordinal));
        Assert.Equal(renewed.Order(StringComparer.Ordinal),
            ArrReader.Queue(await sab.AskAsync("mode=queue")).Select(slot => slot.Id).Order(StringComparer.Ordinal));
        Assert.Single(ArrReader.History(await sab.AskAsync("mode=history")));
        Assert.Equal(
            "API Key Incorrect", (await sab.AskAsync($"mode=retry_all&apikey={SabFixture.ReadKey}")).GetProperty("error").GetString());
    }

    [Fact]
    public async Task Slots_of_the_queue_say_how_old_a_post_is_what_is_left_and_what_it_waits_for()
    {
        await using var sab = await SabFixture.OpenAsync();
        await sab.RunAsync("running");
        await sab.QueueAsync("queued");
        sab.Time.Advance(TimeSpan.FromMinutes(10));
        var queue = (await sab.AskAsync("mode=queue")).GetProperty("queue");
        var (running, queued) = (queue.GetProperty("slots")[0], queue.GetProperty("slots")[1]);
        Assert.Equal("running", running.GetProperty("filename").GetString());

        // Half of "probe" is 37 per cent of an import: ten minutes so far, 63/37 of that to go.
        Assert.Equal("0:17:01", running.GetProperty("timeleft").GetString());
        Assert.Equal("0:17:01", queue.GetProperty("timeleft").GetString());
        Assert.Equal("0:00:00", queued.GetProperty("timeleft").GetString());
        var days = (int)(sab.Time.GetUtcNow() - DateTimeOffset.FromUnixTimeSeconds(1_700_000_000)).TotalDays;
        Assert.Equal($"{days}d", queued.GetProperty("avg_age").GetString());
        Assert.Equal(0, queued.GetProperty("labels").GetArrayLength());
    }

    /// <summary>
    /// SABnzbd 4.5.2 took the unit from the quota, 4.5.3 added <c>time_added</c>, and 5.0.2 made ids GUIDs. Clients either take an id as it
    /// is, or tell a post by <c>SABnzbd_nzo_</c>: what is said to be spoken must be spoken.
    /// </summary>
    [Fact]
    public async Task Ids_and_fields_are_those_of_the_version_that_is_said()
    {
        await using var sab = await SabFixture.OpenAsync();
        var version = Version.Parse((await sab.AskAsync("mode=version")).GetProperty("version").GetString()!);
        Assert.InRange(version, new Version(4, 5, 3), new Version(4, 99));
        var id = SabFixture.Id(await sab.UploadAsync("nzbfile", "one.nzb", SabFixture.Nzb("one"), "cat=tv"));
        Assert.Matches("^SABnzbd_nzo_[a-z0-9]+$", id);
        var queue = (await sab.AskAsync("mode=queue")).GetProperty("queue");
        Assert.Equal(version.ToString(), queue.GetProperty("version").GetString());
        foreach (var name in (string[])["quota", "left_quota"])
            Assert.DoesNotContain("B", queue.GetProperty(name).GetString(), StringComparison.Ordinal);
        Assert.True(queue.GetProperty("slots")[0].GetProperty("time_added").GetInt64() > 0);
        Assert.Equal(id, queue.GetProperty("slots")[0].GetProperty("nzo_id").GetString());
    }

    [Theory]
    [InlineData("f3c1b1a0-4a4e-4c1e-9d0e-0a3c8f0e7b11")]
    [InlineData("SABnzbd_nzo_0000000000abc")]
    [InlineData("SABnzbd_nzo_abc")]
    public async Task An_id_of_another_server_is_nothing_that_was_removed(string id)
    {
        await using var sab = await SabFixture.OpenAsync();
        await sab.QueueAsync("one");
        var answer = await sab.AskAsync($"mode=queue&name=delete&value={id}");
        Assert.Equal((false, 0), (answer.GetProperty("status").GetBoolean(), answer.GetProperty("nzo_ids").GetArrayLength()));
        Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue")));
        Assert.True((await sab.AskAsync("mode=queue&name=delete&value=all&search=nothing")).GetProperty("status").GetBoolean());
    }

    [Fact]
    public async Task Xml_is_answered_in_the_form_of_SABnzbd()
    {
        await using var sab = await SabFixture.OpenAsync();
        await sab.QueueAsync("A & B \u0001<c>");
        await sab.CompleteAsync("done");
        var queue = await XmlAsync("mode=queue");
        Assert.Equal("queue", queue.Name);
        Assert.Equal("False", queue.Element("paused")!.Value);
        Assert.Equal("A & B <c>", Assert.Single(queue.Element("slots")!.Elements("slot")).Element("filename")!.Value);
        Assert.Equal("result", (await XmlAsync("mode=pause")).Name);
        Assert.Equal("True", (await XmlAsync("mode=resume")).Element("status")!.Value);
        Assert.Contains("tv", (await XmlAsync("mode=get_cats")).Elements("category").Select(one => one.Value));
        Assert.Equal(SabOptions.Version, (await XmlAsync("mode=version")).Element("version")!.Value);
        Assert.Equal("not implemented", (await XmlAsync("mode=nothing")).Element("error")!.Value);
        var history = await XmlAsync("mode=history");
        Assert.Equal("done", history.Descendants("slot").Single(slot => slot.Element("nzo_id") is not null).Element("name")!.Value);

        async Task<XElement> XmlAsync(string query)
        {
            using var response = await sab.Http.GetAsync($"/api?output=xml&{query}&apikey={SabFixture.Key}");
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
            Assert.Equal("text/xml", response.Content.Headers.ContentType!.MediaType);
            return XDocument.Parse(await response.Content.ReadAsStringAsync()).Root!;
        }
    }
}
