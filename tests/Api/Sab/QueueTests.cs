using System.Text.Json;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Names;
using NzbDav.Import.Progress;

namespace NzbDav.Api.Tests.Sab;

/// <summary>The queue and what can be done with its jobs.</summary>
public sealed class QueueTests
{
    [Fact]
    public async Task SAB_02_arrs_can_read_every_state()
    {
        await using var sab = await SabFixture.OpenAsync();
        foreach (var step in (string[])["parse", "probe", "name", "layout", "validate", "publish", "something else"])
            await sab.RunAsync("running " + step, step);
        foreach (var priority in (int[])[-3, -1, 0, 1, 2, 3])
            await sab.QueueAsync($"queued {priority}", priority: priority);
        var held = await sab.QueueAsync("held");
        await sab.Jobs.PauseAsync(held.Id, CancellationToken.None);
        await sab.CompleteAsync("done");
        foreach (var code in (string[])[ImportFailure.Missing, ImportFailure.Storage, ImportFailure.Encrypted, ImportFailure.Malformed,
            "unheard-of"])
            await sab.FailAsync("failed " + code, code);

        var queue = ArrReader.Queue(await sab.AskAsync("mode=queue&start=0&limit=0"));
        Assert.Equal(
            ["running parse", "running probe", "running name", "running layout", "running something else", "queued 3", "queued 2",
                "queued 1", "queued 0", "held", "queued -1", "queued -3"],
            queue.Select(item => item.Title).OrderBy(title => queue.FindIndex(item => item.Title == title)));
        Assert.All(queue.Where(item => item.Title.StartsWith("running", StringComparison.Ordinal)),
            item => Assert.Equal("Downloading", item.Status));
        Assert.Equal("Paused", queue.Single(item => item.Title == "held").Status);
        Assert.Equal("Queued", queue.Single(item => item.Title == "queued 0").Status);

        var history = ArrReader.History(await sab.AskAsync("mode=history&start=0&limit=60"));
        Assert.Equal(["running validate", "running publish", "failed unheard-of", "failed malformed-nzb", "failed encrypted-archive",
            "failed storage", "failed missing-articles", "done"], history.Select(item => item.Title));
        Assert.Equal(
            ["Verifying", "Moving", "Failed", "Failed", "Failed", "Failed", "Failed", "Completed"], history.Select(item => item.Status));

        await sab.AskAsync("mode=pause");
        var paused = ArrReader.Queue(await sab.AskAsync("mode=queue"));
        Assert.Equal("Paused", paused.Single(item => item.Title == "queued 0").Status);
        Assert.Equal("Queued", paused.Single(item => item.Title == "queued 2").Status);
        Assert.Equal("Downloading", paused.Single(item => item.Title == "running probe").Status);
    }

    /// <summary>After any sequence of events each answer can be parsed, and each job is in exactly one of the two lists.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task SAB_02_arrs_can_read_the_lists_after_any_sequence_of_events(int seed)
    {
        var random = new Random(seed);
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["*"] });
        string[] names = ["Show.S01E01", "ENCRYPTED", SafeName.Of("Füm \"q\" <&> \\ ☃ 👻")!, "a,b;c", "x{{y}}", new string('n', 200)];
        string[] steps = ["", "parse", "probe", "name", "layout", "validate", "publish", "later"];
        string[] codes = [ImportFailure.Missing, ImportFailure.Storage, ImportFailure.Encrypted, ImportFailure.Unavailable, "unheard-of"];
        var alive = new List<long>();
        for (var i = 0; i < 60; i++)
        {
            var name = names[random.Next(names.Length)];
            switch (random.Next(9))
            {
                case 0 or 1:
                    alive.Add((await sab.QueueAsync(name, random.Next(2) == 0 ? "tv" : "Ä & ö", random.Next(-3, 4))).Id);
                    break;
                case 2 when await sab.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None) is { } job:
                    await sab.Jobs.ReportAsync(job, new JobProgress(steps[random.Next(steps.Length)], random.Next(1_001),
                        random.NextInt64(1L << random.Next(1, 50)), random.Next(10_000)), TimeSpan.FromHours(1), CancellationToken.None);
                    if (random.Next(3) == 0)
                        await sab.Jobs.FailAsync(job, codes[random.Next(codes.Length)], "because \"it\" failed", CancellationToken.None);
                    break;
                case 3:
                    await sab.AskAsync(random.Next(2) == 0 ? "mode=pause" : "mode=resume");
                    break;
                case 4 when alive.Count > 0:
                    await sab.AskAsync(
                        $"mode=queue&name={(random.Next(2) == 0 ? "pause" : "resume")}&value={NzoId.Of(alive[random.Next(alive.Count)])}");
                    break;
                case 5 when alive.Count > 0:
                    await sab.AskAsync($"mode=retry&value={NzoId.Of(alive[random.Next(alive.Count)])}");
                    break;
                case 6:
                    sab.Traffic.Rows[0] = sab.Traffic.Rows[0]
                        with
                    { Bytes = sab.Traffic.Rows[0].Bytes + random.NextInt64(1L << random.Next(1, 42)) };
                    sab.Time.Advance(TimeSpan.FromSeconds(random.NextDouble() * 100_000));
                    break;
                case 7 when alive.Count > 0:
                    await sab.AskAsync($"mode={(random.Next(2) == 0 ? "queue" : "history")}&name=delete&value={NzoId.Of(alive[random.Next(alive.Count)])}");
                    break;
                default:
                    sab.Completion.Visible = random.Next(2) == 0;
                    await sab.AskAsync("mode=addurl&name=http%3A%2F%2F127.0.0.1%3A9%2Fx.nzb&cat=tv");
                    break;
            }

            var queue = ArrReader.Queue(await sab.AskAsync("mode=queue&start=0&limit=0"));
            var history = ArrReader.History(await sab.AskAsync("mode=history&start=0&limit=200"));
            Assert.DoesNotContain(queue, item => item.Status is "Completed" or "Failed");
            Assert.Equal(queue.Count, queue.Select(item => item.Id).Distinct(StringComparer.Ordinal).Count());
            Assert.Equal(history.Count, history.Select(item => item.Id).Distinct(StringComparer.Ordinal).Count());
        }
    }

    [Fact]
    public async Task SAB_05_the_queue_can_be_paged_and_filtered()
    {
        await using var sab = await SabFixture.OpenAsync();
        var jobs = new List<CatalogJob>();
        for (var i = 0; i < 7; i++)
            jobs.Add(await sab.QueueAsync($"Show {i}", i % 2 == 0 ? "tv" : "movies"));
        Assert.Equal(["Show 2", "Show 3"], await TitlesAsync("start=2&limit=2"));
        Assert.Equal(7, (await TitlesAsync("start=0&limit=0")).Count);
        Assert.Equal(["Show 1", "Show 3", "Show 5"], await TitlesAsync("cat=movies"));
        Assert.Equal(["Show 1", "Show 3", "Show 5"], await TitlesAsync("category=Movies"));
        Assert.Empty(await TitlesAsync("category=Films"));
        Assert.Equal(["Show 4"], await TitlesAsync("search=show+4"));
        Assert.Equal(["Show 0", "Show 6"], await TitlesAsync($"nzo_ids={NzoId.Of(jobs[0].Id)},{NzoId.Of(jobs[6].Id)}"));
        Assert.Empty(await TitlesAsync("priority=High"));
        Assert.Empty(await TitlesAsync("status=Paused"));
        var part = (await sab.AskAsync("mode=queue&start=2&limit=2&cat=tv")).GetProperty("queue");
        Assert.Equal((4, 7, 2, 2, 4),
            (Int(part, "noofslots"), Int(part, "noofslots_total"), Int(part, "start"), Int(part, "limit"), Int(part, "finish")));

        async Task<List<string>> TitlesAsync(string query) =>
            [.. ArrReader.Queue(await sab.AskAsync("mode=queue&" + query)).Select(item => item.Title)];
        static int Int(JsonElement element, string name) => element.GetProperty(name).GetInt32();
    }

    [Fact]
    public async Task Jobs_can_be_reordered_and_reprioritised()
    {
        await using var sab = await SabFixture.OpenAsync();
        var ids = new List<string>();
        foreach (var name in (string[])["c", "a", "d", "b"])
            ids.Add(NzoId.Of((await sab.QueueAsync(name)).Id));
        Assert.Equal((0, 0), await SwitchAsync(ids[2], "0"));
        Assert.Equal("d c a b", await OrderAsync());
        Assert.Equal((3, 0), await SwitchAsync(ids[2], "99"));
        Assert.Equal("c a b d", await OrderAsync());
        Assert.Equal((1, 0), await SwitchAsync(ids[3], ids[1]));
        Assert.Equal("c b a d", await OrderAsync());
        Assert.Equal((-1, 0), await SwitchAsync("SABnzbd_nzo_0000000000001", "0"));

        await sab.AskAsync("mode=queue&name=sort&sort=name&dir=desc");
        Assert.Equal("d c b a", await OrderAsync());
        Assert.Equal(0, (await sab.AskAsync($"mode=queue&name=priority&value={ids[1]}&value2=1")).GetProperty("position").GetInt32());
        Assert.Equal("a d c b", await OrderAsync());
        Assert.Equal((0, 1), await SwitchAsync(ids[0], "0"));
        Assert.Equal("c a d b", await OrderAsync());
        Assert.Equal(-1,
            (await sab.AskAsync("mode=queue&name=priority&value=SABnzbd_nzo_0000000000001&value2=1")).GetProperty("position").GetInt32());
        Assert.Equal("expects integer value",
            (await sab.AskAsync($"mode=queue&name=priority&value={ids[1]}&value2=high")).GetProperty("error").GetString());
        await sab.AskAsync($"mode=queue&name=priority&value={ids[1]}&value2=-2");
        Assert.Equal("Paused", ArrReader.Queue(await sab.AskAsync("mode=queue")).Single(item => item.Id == ids[1]).Status);

        // Workers take jobs in the displayed order and skip the paused one.
        var taken = new List<string>();
        while (await sab.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None) is { } job)
            taken.Add(job.Name);
        Assert.Equal("c d b", string.Join(' ', taken));

        async Task<(int, int)> SwitchAsync(string id, string to)
        {
            var result = (await sab.AskAsync($"mode=switch&value={id}&value2={to}")).GetProperty("result");
            return (result.GetProperty("position").GetInt32(), result.GetProperty("priority").GetInt32());
        }

        async Task<string> OrderAsync() => string.Join(' ', ArrReader.Queue(await sab.AskAsync("mode=queue")).Select(item => item.Title));
    }

    [Fact]
    public async Task Jobs_can_be_deleted_renamed_and_moved_to_another_category()
    {
        await using var sab = await SabFixture.OpenAsync();
        var (one, two, done) = (await sab.QueueAsync("one"), await sab.QueueAsync("two"), await sab.CompleteAsync("done"));
        var answer = await sab.AskAsync($"mode=queue&name=rename&value={NzoId.Of(one.Id)}&value2=new%2Fname&value3=secret");
        Assert.True(answer.GetProperty("status").GetBoolean());
        var renamed = (await sab.Jobs.GetAsync(one.Id, CancellationToken.None))!;
        Assert.Equal("secret", renamed.Password);
        Assert.DoesNotContain('/', renamed.Name);
        Assert.True((await sab.AskAsync($"mode=change_cat&value={NzoId.Of(one.Id)}&value2=MOVIES")).GetProperty("status").GetBoolean());
        Assert.Equal("movies", (await sab.Jobs.GetAsync(one.Id, CancellationToken.None))!.Category);
        Assert.Contains("not a valid name", (await sab.AskAsync($"mode=change_cat&value={NzoId.Of(one.Id)}&value2=..")).GetProperty("error")
            .GetString(), StringComparison.Ordinal);

        answer = await sab.AskAsync($"mode=queue&name=delete&value={NzoId.Of(two.Id)},{NzoId.Of(done.Id)},nonsense");
        Assert.Equal([NzoId.Of(two.Id)], answer.GetProperty("nzo_ids").EnumerateArray().Select(id => id.GetString()));
        Assert.Null(await sab.Jobs.GetAsync(two.Id, CancellationToken.None));
        Assert.NotNull(await sab.Jobs.GetAsync(done.Id, CancellationToken.None));
        await sab.AskAsync("mode=queue&name=delete&value=all");
        Assert.Empty(ArrReader.Queue(await sab.AskAsync("mode=queue")));
    }

    [Fact]
    public async Task The_queue_can_be_paused_and_the_speed_limited()
    {
        await using var sab = await SabFixture.OpenAsync(change: options => options with { LineBytesPerSecond = 10_000_000 });
        await sab.AskAsync("mode=config&name=set_pause&value=5");
        var queue = (await sab.AskAsync("mode=queue")).GetProperty("queue");
        Assert.Equal((true, "5:00", "Paused"), (queue.GetProperty("paused").GetBoolean(), queue.GetProperty("pause_int").GetString(),
            queue.GetProperty("status").GetString()));
        sab.Time.Advance(TimeSpan.FromMinutes(6));
        Assert.False((await sab.AskAsync("mode=queue")).GetProperty("queue").GetProperty("paused").GetBoolean());

        foreach (var (text, limit) in ((string, long?)[])[("5M", 5 << 20), ("512K", 512 << 10), ("50", 5_000_000), ("25%", 2_500_000),
            ("0", null), ("100", null), ("1048576", 1 << 20)])
        {
            Assert.True(
                (await sab.AskAsync($"mode=config&name=speedlimit&value={Uri.EscapeDataString(text)}")).GetProperty("status").GetBoolean());
            Assert.Equal(limit, sab.Traffic.SpeedLimit);
        }

        Assert.Contains("not a speed", (await sab.AskAsync("mode=config&name=speedlimit&value=fast")).GetProperty("error").GetString(),
            StringComparison.Ordinal);
        sab.Traffic.SpeedLimit = null;
        await sab.Get<SpeedLimitKeeper>().RestoreAsync(CancellationToken.None);
        Assert.Equal(1 << 20, sab.Traffic.SpeedLimit);
        Assert.Equal("1048576", (await sab.AskAsync("mode=queue")).GetProperty("queue").GetProperty("speedlimit_abs").GetString());
    }

    [Fact]
    public async Task The_speed_is_the_average_of_the_last_seconds()
    {
        await using var sab = await SabFixture.OpenAsync();
        await SpeedAsync();
        sab.Traffic.Rows[0] = sab.Traffic.Rows[0] with { Bytes = 20 << 20 };
        sab.Time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(("10.0 M", "10240.00"), await SpeedAsync());
        sab.Time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(("0", "0.00"), await SpeedAsync());

        async Task<(string?, string?)> SpeedAsync()
        {
            var queue = (await sab.AskAsync("mode=queue")).GetProperty("queue");
            return (queue.GetProperty("speed").GetString(), queue.GetProperty("kbpersec").GetString());
        }
    }

    [Theory]
    [InlineData(0, "0 B", "0.00", "0")]
    [InlineData(1_288_490_189, "1.2 GB", "1228.80", "1.2 G")]
    [InlineData(700_000, "683.6 KB", "0.67", "683.6 K")]
    public void Sizes_are_written_as_clients_split_them(long bytes, string size, string megabytes, string speed) =>
        Assert.Equal((size, megabytes, speed), (SabText.Size(bytes), SabText.Megabytes(bytes), SabText.Speed(bytes)));

    [Fact]
    public void Times_have_three_or_four_parts()
    {
        Assert.Equal("0:00:00", SabText.TimeLeft(TimeSpan.Zero));
        Assert.Equal("23:59:59", SabText.TimeLeft(new TimeSpan(23, 59, 59)));
        Assert.Equal("2:03:04:05", SabText.TimeLeft(new TimeSpan(2, 3, 4, 5)));
    }
}
