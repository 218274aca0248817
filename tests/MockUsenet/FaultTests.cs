using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.MockUsenet.Tests;

public sealed class FaultTests
{
    [Fact]
    public async Task A_missing_article_is_missing_for_every_command()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        provider.Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 1));
        await using var probe = await Probe.OpenAsync(provider);
        foreach (var command in new[] { "STAT", "HEAD", "BODY", "ARTICLE" })
            Assert.StartsWith("430 ", await probe.AskAsync($"{command} <{file.Segments[1].MessageId}>"), StringComparison.Ordinal);
        Assert.StartsWith("223 ", await probe.AskAsync($"STAT <{file.Segments[0].MessageId}>"), StringComparison.Ordinal);
        Assert.Equal(2, provider.Stats.Faults["Missing"]);
    }

    [Fact]
    public async Task STAT_can_be_made_to_lie()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        provider.Faults.Add(Fault.StatLies, FaultTarget.Ids(file.Segments[1].MessageId));
        await using var probe = await Probe.OpenAsync(provider);
        Assert.StartsWith("223 ", await probe.AskAsync($"STAT <{file.Segments[1].MessageId}>"), StringComparison.Ordinal);
        Assert.StartsWith("430 ", await probe.AskAsync($"BODY <{file.Segments[1].MessageId}>"), StringComparison.Ordinal);
        Assert.StartsWith("430 ", await probe.AskAsync($"HEAD <{file.Segments[1].MessageId}>"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(42_000)]
    [InlineData(3)]
    [InlineData(1)]
    public async Task Corrupt_changes_one_byte_but_not_the_CRC(int length)
    {
        var file = Post.Seeded(out var store, length);
        await using var provider = MockProvider.Start(store);
        provider.Faults.Add(Fault.Corrupt, FaultTarget.All);
        await using var probe = await Probe.OpenAsync(provider);
        foreach (var segment in file.Segments)
        {
            await probe.AskAsync($"BODY <{segment.MessageId}>");
            var article = PlainYenc.Decode(await probe.BlockAsync());
            var right = Post.PayloadOf(segment);
            Assert.Equal(right.Length, article.Payload.Length);
            Assert.Equal(1, right.Zip(article.Payload).Count(pair => pair.First != pair.Second));
            var crc = file.Segments.Count == 1 ? "yend.crc32" : "yend.pcrc32";
            Assert.Equal($"{PlainYenc.Crc(right):x8}", article.Fields[crc]);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_truncated_article_ends_early_with_a_dot_line(bool midLine)
    {
        var file = Post.Seeded(out var store);
        var segment = file.Segments[0];
        await using var provider = MockProvider.Start(store);
        provider.Faults.Add(Fault.Truncated(after: 2_000, midLine), FaultTarget.All);
        await using var probe = await Probe.OpenAsync(provider);
        await probe.AskAsync($"BODY <{segment.MessageId}>");
        var body = await probe.BlockAsync();
        var article = PlainYenc.Decode(body);
        Assert.DoesNotContain("yend.size", article.Fields.Keys);
        Assert.Equal(Post.PayloadOf(segment)[..article.Payload.Length], article.Payload);
        Assert.InRange(body.Length, 1_850, 2_010);
        var last = PlainYenc.Lines(body)[^1];
        Assert.Equal(midLine, last.Length < 128);
        Assert.StartsWith("111 ", await probe.AskAsync("DATE"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_wrong_article_has_the_right_status_line()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        provider.Faults.Add(Fault.WrongArticle(), FaultTarget.Indexes(file, 0));
        provider.Faults.Add(Fault.WrongArticle(file.Segments[7]), FaultTarget.Indexes(file, 1));
        await using var probe = await Probe.OpenAsync(provider);
        foreach (var (asked, given) in new[] { (0, 1), (1, 7) })
        {
            Assert.Equal($"222 0 <{file.Segments[asked].MessageId}>", await probe.AskAsync($"BODY <{file.Segments[asked].MessageId}>"));
            var article = PlainYenc.Decode(await probe.BlockAsync());
            Assert.Equal(file.Segments[given].Offset + 1, article.Number("ypart.begin"));
            Assert.Equal(Post.PayloadOf(file.Segments[given]), article.Payload);
        }
    }

    [Fact]
    public async Task A_stall_lasts_as_long_as_configured()
    {
        var file = Post.Seeded(out var store);
        var segment = file.Segments[0];
        var time = new ManualTimeProvider();
        await using var provider = MockProvider.Start(store, new MockProviderOptions { Time = time });
        provider.Faults.Add(Fault.Stall(after: 1_000, TimeSpan.FromSeconds(30)), FaultTarget.All);
        await using var probe = await Probe.OpenAsync(provider);
        await probe.AskAsync($"BODY <{segment.MessageId}>");
        Assert.Equal(segment.Body[..1_000].ToArray(), await probe.BytesAsync(1_000));
        await time.WhenArmedAsync(1, probe.Limit);
        Assert.Equal(TimeSpan.FromSeconds(30), time.NextDue);
        Assert.Equal(0, probe.Socket.Available);
        time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(segment.Body[1_000..].ToArray(), await probe.BlockAsync());
    }

    [Fact]
    public async Task Silence_keeps_back_the_status_line_too()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        var rule = provider.Faults.Add(Fault.Silence, FaultTarget.All);
        await using var leaving = await Probe.OpenAsync(provider);
        await leaving.SendAsync($"BODY <{file.Segments[0].MessageId}>\r\n");
        leaving.Socket.Shutdown(System.Net.Sockets.SocketShutdown.Send);
        Assert.Empty(await leaving.RestAsync());
        Assert.Equal(1, rule.Struck);
    }

    [Fact]
    public async Task A_stall_for_ever_ends_with_the_connection()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        provider.Faults.Add(Fault.Stall(after: 0), FaultTarget.All);
        await using var dropped = await Probe.OpenAsync(provider);
        await dropped.AskAsync($"BODY <{file.Segments[0].MessageId}>");
        provider.DropConnections(reset: false);
        Assert.Empty(await dropped.RestAsync());

        await using var leaving = await Probe.OpenAsync(provider);
        await leaving.AskAsync($"BODY <{file.Segments[0].MessageId}>");
        leaving.Socket.Shutdown(System.Net.Sockets.SocketShutdown.Send);
        Assert.Empty(await leaving.RestAsync());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_drop_ends_the_connection_within_the_body(bool reset)
    {
        var file = Post.Seeded(out var store);
        var segment = file.Segments[0];
        await using var provider = MockProvider.Start(store);
        provider.Faults.Add(Fault.Drop(after: 1_234, reset), FaultTarget.All, timesInAll: 1);
        await using var probe = await Probe.OpenAsync(provider);
        await probe.SendAsync($"BODY <{segment.MessageId}>\r\nDATE\r\nDATE\r\n");
        if (reset)
        {
            await Assert.ThrowsAnyAsync<IOException>(probe.RestAsync);
        }
        else
        {
            Assert.Equal($"222 0 <{segment.MessageId}>", await probe.LineAsync());
            Assert.Equal(segment.Body[..1_234].ToArray(), await probe.RestAsync());
        }

        await using var again = await Probe.OpenAsync(provider);
        await again.AskAsync($"BODY <{segment.MessageId}>");
        Assert.Equal(segment.Body.ToArray(), await again.BlockAsync());
    }

    [Fact]
    public async Task A_slow_article_has_its_own_rate()
    {
        var file = Post.Seeded(out var store);
        var time = new ManualTimeProvider();
        await using var provider = MockProvider.Start(store, new MockProviderOptions { Time = time });
        provider.Faults.Add(Fault.Slow(1_000), FaultTarget.Indexes(file, 0));
        using var over = new CancellationTokenSource();
        var running = time.RunAsync(over.Token);
        await using var probe = await Probe.OpenAsync(provider);
        var started = time.GetTimestamp();
        await probe.AskAsync($"BODY <{file.Segments[0].MessageId}>");
        Assert.Equal(file.Segments[0].Body.ToArray(), await probe.BlockAsync());
        var took = time.GetElapsedTime(started).TotalSeconds;
        Assert.InRange(took, (file.Segments[0].Body.Length / 1e3) - 0.1, (file.Segments[0].Body.Length / 1e3) + 0.1);
        await probe.AskAsync($"BODY <{file.Segments[1].MessageId}>");
        await probe.BlockAsync();
        Assert.Equal(took, time.GetElapsedTime(started).TotalSeconds);
        await over.CancelAsync();
        await running;
    }

    [Fact]
    public async Task The_first_times_can_fail_and_later_ones_succeed()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        var rule = provider.Faults.Add(Fault.Missing, FaultTarget.All, timesEach: 2);
        await using var probe = await Probe.OpenAsync(provider);
        foreach (var segment in file.Segments.Take(2))
        {
            Assert.StartsWith("430 ", await probe.AskAsync($"BODY <{segment.MessageId}>"), StringComparison.Ordinal);
            Assert.StartsWith("430 ", await probe.AskAsync($"STAT <{segment.MessageId}>"), StringComparison.Ordinal);
            Assert.StartsWith("430 ", await probe.AskAsync($"BODY <{segment.MessageId}>"), StringComparison.Ordinal);
            Assert.StartsWith("223 ", await probe.AskAsync($"STAT <{segment.MessageId}>"), StringComparison.Ordinal);
            Assert.StartsWith("222 ", await probe.AskAsync($"BODY <{segment.MessageId}>"), StringComparison.Ordinal);
            await probe.BlockAsync();
        }

        Assert.Equal(4, rule.Struck);
    }

    [Fact]
    public void A_rate_affects_its_share_of_articles_and_always_the_same_ones()
    {
        var file = Post.Seeded(out _, 100_000, new PostOptions { ArticleSize = 10 });
        var target = FaultTarget.Rate(0.1, 3);
        var struck = file.Segments.Where(target.Strikes).ToList();
        Assert.InRange(struck.Count, 850, 1_150);
        Assert.Equal(struck, file.Segments.Where(FaultTarget.Rate(0.1, 3).Strikes));
        Assert.NotEqual(struck, file.Segments.Where(FaultTarget.Rate(0.1, 4).Strikes));
        Assert.DoesNotContain(file.Segments, FaultTarget.Rate(0).Strikes);
        Assert.All(file.Segments, segment => Assert.True(FaultTarget.Rate(1).Strikes(segment)));
    }

    [Fact]
    public void The_first_matching_rule_wins_and_rules_can_be_removed()
    {
        var file = Post.Seeded(out _);
        var plan = new FaultPlan();
        var first = plan.Add(Fault.Missing, FaultTarget.Indexes(file, 0), timesInAll: 1);
        plan.Add(Fault.Corrupt, FaultTarget.File(file));
        Assert.Same(Fault.Missing, plan.Strike(file.Segments[0]));
        Assert.Same(Fault.Corrupt, plan.Strike(file.Segments[0]));
        Assert.Same(Fault.Corrupt, plan.Strike(file.Segments[1]));
        plan.Remove(first);
        plan.Clear();
        Assert.Null(plan.Strike(file.Segments[0]));
    }
}
