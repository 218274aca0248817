using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using NzbDav.Api.Sab.Adding;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Fakes;

namespace NzbDav.Api.Tests.Sab;

/// <summary>The forms in which calls may be sent: keys, repeated and mixed parameters, numbers out of bounds, broken forms.</summary>
public sealed class RequestTests
{
    [Theory]
    [InlineData("mode=queue&apikey=KEY&apikey=KEY")]
    [InlineData("mode=queue&apikey=KEY&apikey=wrong")]
    [InlineData("mode=queue&mode=version&apikey=KEY")]
    [InlineData("MODE=queue&ApiKey=KEY")]
    public async Task SAB_04_the_first_of_a_repeated_parameter_counts(string query)
    {
        await using var sab = await SabFixture.OpenAsync();
        using var response = await sab.Http.GetAsync("/api?" + query.Replace("KEY", SabFixture.Key, StringComparison.Ordinal));
        Assert.True((await JsonAsync(response)).TryGetProperty("queue", out _));
    }

    [Fact]
    public async Task SAB_04_a_parameter_empty_in_the_address_may_be_in_the_form()
    {
        await using var sab = await SabFixture.OpenAsync();
        using var form = new FormUrlEncodedContent(
            new Dictionary<string, string>(StringComparer.Ordinal) { ["mode"] = "queue", ["apikey"] = SabFixture.Key });
        using var response = await sab.Http.PostAsync("/api?mode=&apikey=", form);
        Assert.True((await JsonAsync(response)).TryGetProperty("queue", out _));
    }

    [Theory]
    [InlineData("X-Api-Key", SabFixture.Key, null)]
    [InlineData("Authorization", "Bearer " + SabFixture.Key, null)]
    [InlineData("X-Api-Key", "wrong", "API Key Incorrect")]
    [InlineData("X-Api-Key", "", "API Key Required")]
    [InlineData("Authorization", "Basic bWU6c2VjcmV0", "API Key Required")]
    public async Task SAB_04_the_key_may_be_in_a_header(string header, string value, string? error)
    {
        await using var sab = await SabFixture.OpenAsync();
        using var request = new HttpRequestMessage(HttpMethod.Get, "/api?mode=queue");
        Assert.True(request.Headers.TryAddWithoutValidation(header, value));
        using var response = await sab.Http.SendAsync(request);
        Assert.Equal(error, (await JsonAsync(response)).TryGetProperty("error", out var told) ? told.GetString() : null);
    }

    [Theory]
    [InlineData("wrong", "badkey")]
    [InlineData(SabFixture.AddKey, "nzbkey")]
    [InlineData(SabFixture.Key, "apikey")]
    public async Task SAB_04_only_auth_also_takes_the_key_in_its_own_parameter(string key, string expected)
    {
        await using var sab = await SabFixture.OpenAsync();
        using var auth = await sab.Http.GetAsync("/api?mode=auth&key=" + key);
        Assert.Equal(expected, (await JsonAsync(auth)).GetProperty("auth").GetString());
        using var queue = await sab.Http.GetAsync("/api?mode=queue&key=" + key);
        Assert.Equal("API Key Required", (await JsonAsync(queue)).GetProperty("error").GetString());
    }

    [Theory]
    [InlineData("multipart/form-data", "x")]
    [InlineData("multipart/form-data; boundary=xx", "garbage")]
    [InlineData("multipart/form-data; boundary=xx",
        "--xx\r\nContent-Disposition: form-data; name=\"name\"; filename=\"a.nzb\"\r\n\r\nends too early")]
    public async Task SAB_06_a_broken_form_is_answered_as_an_error_of_the_interface(string type, string body)
    {
        await using var sab = await SabFixture.OpenAsync();
        using var form = new ByteArrayContent(Encoding.ASCII.GetBytes(body));
        form.Headers.ContentType = MediaTypeHeaderValue.Parse(type);
        var answer = await sab.AskAsync("mode=addfile", form);
        Assert.Equal("{error:s,status:b}", Shape.Of(answer));
        Assert.False(answer.GetProperty("status").GetBoolean());
    }

    [Theory]
    [InlineData("start=-5&limit=-1", 3, 0, 0, 0)]
    [InlineData("start=abc&limit=x", 3, 0, 0, 0)]
    [InlineData("start=1&limit=99999999999", 2, 1, int.MaxValue, int.MaxValue)]
    [InlineData("start=2147483647&limit=10", 0, int.MaxValue, 10, int.MaxValue)]
    public async Task SAB_05_numbers_out_of_bounds_are_clamped(string query, int shown, int start, int limit, int finish)
    {
        await using var sab = await SabFixture.OpenAsync();
        for (var i = 0; i < 3; i++)
        {
            await sab.QueueAsync($"job {i}");
            await sab.FailAsync($"bad {i}");
        }

        var queue = (await sab.AskAsync("mode=queue&" + query)).GetProperty("queue");
        Assert.Equal(
            (shown, start, limit, finish),
            (queue.GetProperty("slots").GetArrayLength(), queue.GetProperty("start").GetInt32(), queue.GetProperty("limit").GetInt32(),
                queue.GetProperty("finish").GetInt32()));
        Assert.Equal(shown, ArrReader.History(await sab.AskAsync("mode=history&" + query)).Count);
    }

    /// <summary>Dashboard pages ask from another origin, and nothing on the way may cache an answer.</summary>
    [Theory]
    [InlineData("mode=version")]
    [InlineData("mode=queue")]
    [InlineData("mode=nonsense")]
    [InlineData("mode=queue&apikey=wrong")]
    [InlineData("mode=queue&output=xml")]
    public async Task SAB_01_answers_have_the_headers_of_the_interface(string query)
    {
        await using var sab = await SabFixture.OpenAsync();
        using var response = await sab.SendAsync(query);
        Assert.Equal("application/json;charset=UTF-8", response.Content.Headers.NonValidated["Content-Type"].ToString());
        Assert.Equal("no-cache", Assert.Single(response.Headers.GetValues("Pragma")));

        // SABnzbd lets pages of other sites read its answers. Programs do not need that.
        Assert.False(response.Headers.Contains("Access-Control-Allow-Origin"));
        Assert.Equal((await response.Content.ReadAsByteArrayAsync()).Length, response.Content.Headers.ContentLength);
    }

    [Theory]
    [InlineData("mode=get_files", "expects one parameter")]
    [InlineData("mode=queue&name=rename&value=SABnzbd_nzo_0000000000001&value2=x", "item does not exist")]
    [InlineData("mode=queue&name=rename&value=nonsense&value2=x", "item does not exist")]
    [InlineData("mode=queue&name=rename&value=nonsense", "expects two parameters")]
    [InlineData("mode=queue&name=delete", "expects one parameter")]
    [InlineData("mode=queue&name=nonsense", "not implemented")]
    [InlineData("mode=history&name=delete", "expects one parameter")]
    [InlineData("mode=history&name=nonsense", "not implemented")]
    [InlineData("mode=retry&value=nonsense", "item does not exist")]
    [InlineData("mode=addurl", "expects one parameter")]
    [InlineData("mode=addfile", "no file given")]
    [InlineData("mode=switch&value=nonsense", "expects two parameters")]
    [InlineData("mode=config&name=set_pause&value=x", "expects integer value")]
    [InlineData("mode=config", "not implemented")]
    public async Task SAB_01_errors_have_the_expected_texts(string query, string error)
    {
        await using var sab = await SabFixture.OpenAsync();
        var answer = await sab.AskAsync(query);
        Assert.Equal((false, error), (answer.GetProperty("status").GetBoolean(), answer.GetProperty("error").GetString()));
    }

    [Theory]
    [InlineData("nonsense")]
    [InlineData("SABnzbd_nzo_0000000000001")]
    public async Task SAB_01_an_unknown_job_has_no_files(string id)
    {
        await using var sab = await SabFixture.OpenAsync();
        Assert.Equal("""{"files":[]}""", (await sab.AskAsync("mode=get_files&value=" + id)).GetRawText());
    }

    /// <summary>
    /// An *arr without a category sends an empty one, lists everything, and treats the jobs with category <c>*</c> as its own.
    /// </summary>
    [Fact]
    public async Task SAB_05_jobs_without_a_category_are_listed_under_the_asterisk_and_under_their_folder()
    {
        await using var sab = await SabFixture.OpenAsync();
        using var form = new MultipartFormDataContent { { new ByteArrayContent(SabFixture.Nzb("x")), "name", "Show.nzb" } };
        await sab.AskAsync("mode=addfile&cat=", form);
        await sab.QueueAsync("series");
        await sab.CompleteAsync("done", "other");
        await sab.CompleteAsync("film", "movies");
        Assert.Equal([("Show", "*"), ("series", "tv")], await QueueAsync(""));
        Assert.Equal([("Show", "*"), ("series", "tv")], await QueueAsync("&cat=*"));
        Assert.Equal([("Show", "other")], await QueueAsync("&category=other"));
        Assert.Equal([("film", "movies"), ("done", "*")], await HistoryAsync(""));
        Assert.Equal([("done", "other")], await HistoryAsync("&category=other"));

        // The path has the default category's folder, whatever name the query uses.
        Assert.Equal(
            "/mnt/films/completed-symlinks/other/done", ArrReader.History(await sab.AskAsync("mode=history&search=done"))[0].Storage);

        async Task<List<(string, string)>> QueueAsync(string query) =>
            [.. ArrReader.Queue(await sab.AskAsync("mode=queue" + query)).Select(item => (item.Title, item.Category))
                .OrderBy(item => item.Title, StringComparer.Ordinal)];
        async Task<List<(string, string)>> HistoryAsync(string query) =>
            [.. ArrReader.History(await sab.AskAsync("mode=history" + query)).Select(item => (item.Title, item.Category))];
    }

    [Fact]
    public async Task SAB_05_lists_of_categories_priorities_and_states_are_accepted()
    {
        await using var sab = await SabFixture.OpenAsync();
        await sab.RunAsync("looked at", "validate");
        await sab.QueueAsync("a", "tv", priority: 1);
        await sab.QueueAsync("b", "movies", priority: -1);
        await sab.QueueAsync("c", "music");
        await sab.CompleteAsync("done", "movies");
        await sab.FailAsync("bad", category: "music");
        Assert.Equal("a b", await QueueAsync("cat=tv,movies"));
        Assert.Equal("a c", await QueueAsync("priority=1,0"));
        Assert.Equal("b", await QueueAsync("priority=-1"));
        Assert.Equal("a b", await QueueAsync("priority=High,low"));
        Assert.Equal("bad done", await HistoryAsync("cat=music,movies"));
        Assert.Equal("bad done", await HistoryAsync("status=Completed,failed"));
        Assert.Equal("looked at", await HistoryAsync("status=Verifying"));
        Assert.Equal("bad looked at", await HistoryAsync("status=Verifying,Failed"));
        Assert.Equal("", await HistoryAsync("status=Extracting"));

        async Task<string> QueueAsync(string query) => string.Join(
            ' ', ArrReader.Queue(await sab.AskAsync("mode=queue&" + query)).Select(item => item.Title).Order(StringComparer.Ordinal));
        async Task<string> HistoryAsync(string query) => string.Join(
            ' ', ArrReader.History(await sab.AskAsync("mode=history&" + query)).Select(item => item.Title).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task SAB_10_the_history_deletes_a_job_it_lists_before_it_is_done_but_not_one_in_the_queue()
    {
        await using var sab = await SabFixture.OpenAsync();
        var late = await sab.RunAsync("late", "publish");
        var early = await sab.RunAsync("early");
        Assert.True((await sab.AskAsync($"mode=history&name=delete&value={NzoId.Of(late.Id)},{NzoId.Of(early.Id)}&del_files=1"))
            .GetProperty("status").GetBoolean());
        Assert.Null(await sab.Jobs.GetAsync(late.Id, CancellationToken.None));
        Assert.NotNull(await sab.Jobs.GetAsync(early.Id, CancellationToken.None));
    }

    [Fact]
    public async Task SAB_01_the_speed_limit_is_a_share_of_the_line_and_an_empty_one_removes_it()
    {
        await using var sab = await SabFixture.OpenAsync(change: options => options with { LineBytesPerSecond = 10_000_000 });
        foreach (var (value, share, bytes) in ((string, string, string)[])[("50", "50", "5000000"), ("25%", "25", "2500000"),
            ("1K", "1", "1024"), ("", "100", ""), ("20M", "100", "20971520")])
        {
            Assert.True((await sab.AskAsync("mode=config&name=speedlimit&value=" + Uri.EscapeDataString(value))).GetProperty("status")
                .GetBoolean());
            foreach (var mode in (string[])["queue", "status"])
            {
                var told = (await sab.AskAsync("mode=" + mode)).GetProperty(mode);
                Assert.Equal((share, bytes), (told.GetProperty("speedlimit").GetString(), told.GetProperty("speedlimit_abs").GetString()));
            }
        }
    }

    [Fact]
    public async Task SAB_01_a_queue_with_only_paused_jobs_is_idle()
    {
        await using var sab = await SabFixture.OpenAsync();
        var job = await sab.QueueAsync("held");
        Assert.Equal("Downloading", await StatusAsync());
        await sab.Jobs.PauseAsync(job.Id, CancellationToken.None);
        Assert.Equal("Idle", await StatusAsync());

        async Task<string?> StatusAsync() => (await sab.AskAsync("mode=queue")).GetProperty("queue").GetProperty("status").GetString();
    }

    /// <summary>For a moment it is both a job and still being fetched.</summary>
    [Fact]
    public async Task SAB_07_a_job_both_fetched_and_queued_is_listed_once()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["*"] });
        var id = sab.Jobs.NewId();
        await sab.Get<UrlGrabs>().AddAsync(
            new UrlGrab { Id = id, Url = $"http://{silent.LocalEndpoint}/x", Name = "x", Category = "tv" }, CancellationToken.None);
        using var nzb = new MemoryStream(SabFixture.Nzb("x"));
        await sab.Jobs.EnqueueAsync(
            new NewJob { Id = id, Name = "x", Category = "tv", Source = JobSource.Api }, nzb, CancellationToken.None);
        Assert.Equal(NzoId.Of(id), Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue"))).Id);
    }

    /// <summary>The process ended after the job was stored but before its address was removed.</summary>
    [Fact]
    public async Task SAB_07_an_address_already_queued_is_not_fetched_again_after_a_restart()
    {
        using var folder = new TemporaryFolder();
        string kept;
        long id;
        await using (var sab = await SabFixture.OpenAsync(folder.Path))
        {
            id = (await sab.QueueAsync("x")).Id;
            kept = $"sab.grab.{id}";
            await sab.Get<SettingStore>().SetAsync(kept, JsonSerializer.Serialize(
                new UrlGrab { Id = id, Url = "http://127.0.0.1:9/x", Name = "x", Category = "tv" }), CancellationToken.None);
        }

        await using var again = await SabFixture.OpenAsync(folder.Path);
        await Until.TrueAsync(async () => await again.Get<SettingStore>().GetAsync(kept, CancellationToken.None) is null);
        var item = Assert.Single(ArrReader.Queue(await again.AskAsync("mode=queue")));
        Assert.Equal((NzoId.Of(id), "Queued"), (item.Id, item.Status));
    }

    private static async Task<JsonElement> JsonAsync(HttpResponseMessage response) =>
        JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement;
}
