using System.Text;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.MockUsenet.Tests;

public sealed class ProtocolTests
{
    [Fact]
    public async Task BODY_returns_only_the_article()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        foreach (var segment in file.Segments)
        {
            Assert.Equal($"222 0 <{segment.MessageId}>", await probe.AskAsync($"BODY <{segment.MessageId}>"));
            Assert.Equal(Post.PayloadOf(segment), PlainYenc.Decode(await probe.BlockAsync()).Payload);
        }
    }

    [Fact]
    public async Task HEAD_and_ARTICLE_return_the_headers()
    {
        var file = Post.Seeded(out var store);
        var segment = file.Segments[2];
        await using var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        Assert.Equal($"221 0 <{segment.MessageId}>", await probe.AskAsync($"HEAD <{segment.MessageId}>"));
        var head = Encoding.UTF8.GetString(await probe.BlockAsync());
        Assert.Contains("From: Mock Poster <poster@mock.invalid>\r\n", head, StringComparison.Ordinal);
        Assert.Contains("Newsgroups: alt.binaries.test,alt.binaries.mock\r\n", head, StringComparison.Ordinal);
        Assert.Contains("Subject: [1/1] - \"file.bin\" yEnc (3/9)\r\n", head, StringComparison.Ordinal);
        Assert.Contains($"Message-ID: <{segment.MessageId}>\r\n", head, StringComparison.Ordinal);
        Assert.Contains("Date: Mon, 15 Jan 2024 12:00:00 +0000\r\n", head, StringComparison.Ordinal);

        Assert.Equal($"220 0 <{segment.MessageId}>", await probe.AskAsync($"ARTICLE <{segment.MessageId}>"));
        var article = await probe.BlockAsync();
        var split = article.AsSpan().IndexOf("\r\n\r\n"u8) + 4;
        Assert.Equal(head[..^3], Encoding.UTF8.GetString(article.AsSpan(0, split - 2)));
        Assert.Equal(Post.PayloadOf(segment), PlainYenc.Decode(article.AsSpan(split)).Payload);
    }

    [Fact]
    public async Task Replies_keep_the_order_of_a_long_pipeline()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        var commands = new StringBuilder();
        // More than the server keeps waiting: the sender has to be held back, not the order lost.
        for (var i = 0; i < 3_000; i++)
            commands.Append(i % 10 == 3
                ? $"BODY <{file.Segments[i % 9].MessageId}>\r\n" : $"STAT <{(i % 7 == 0 ? "no" : file.Segments[i % 9].MessageId)}>\r\n");
        var sending = probe.SendAsync(commands.ToString());
        for (var i = 0; i < 3_000; i++)
        {
            var id = file.Segments[i % 9].MessageId;
            var line = await probe.LineAsync();
            Assert.Equal(i % 10 == 3 ? $"222 0 <{id}>" : i % 7 == 0 ? "430 No such article" : $"223 0 <{id}>", line);
            if (i % 10 == 3)
                Assert.Equal(file.Segments[i % 9].Size, PlainYenc.Decode(await probe.BlockAsync()).Payload.Length);
        }

        await sending;
    }

    [Fact]
    public async Task Commands_can_arrive_in_any_fragments()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        probe.Socket.NoDelay = true;
        foreach (var letter in $"sTaT   <{file.Segments[0].MessageId}> \r\nstat <x@y>\n")
            await probe.SendAsync(letter.ToString());
        Assert.StartsWith("223 ", await probe.LineAsync(), StringComparison.Ordinal);
        Assert.StartsWith("430 ", await probe.LineAsync(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("CAPABILITIES", "101")]
    [InlineData("HELP", "100")]
    public async Task Lists_end_with_a_dot(string command, string code)
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        Assert.StartsWith(code, await probe.AskAsync(command), StringComparison.Ordinal);
        Assert.EndsWith(".\r\n", Encoding.ASCII.GetString(await probe.BlockAsync()), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("MODE READER", "200")]
    [InlineData("MODE STREAM", "500")]
    [InlineData("GROUP alt.binaries.test", "211 9 1 9 alt.binaries.test")]
    [InlineData("GROUP alt.nothing", "411")]
    [InlineData("GROUP", "501")]
    [InlineData("BODY", "412")]
    [InlineData("BODY 17", "412")]
    [InlineData("BODY nonsense", "501")]
    [InlineData("BODY <>", "501")]
    [InlineData("STAT <no@such>", "430")]
    [InlineData("XYZZY", "500")]
    [InlineData("", "500")]
    [InlineData("AUTHINFO SASL PLAIN", "500")]
    [InlineData("AUTHINFO USER", "501")]
    public async Task Each_command_gets_its_reply_code(string command, string reply)
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        Assert.StartsWith(reply, await probe.AskAsync(command), StringComparison.Ordinal);
        Assert.StartsWith("111 ", await probe.AskAsync("DATE"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Numbers_are_unknown_within_a_group()
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        await probe.AskAsync("GROUP alt.binaries.test");
        Assert.StartsWith("423 ", await probe.AskAsync("BODY 1"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_too_long_line_is_refused_and_the_next_one_served()
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        Assert.StartsWith("501 ", await probe.AskAsync("STAT <" + new string('x', 600) + ">"), StringComparison.Ordinal);
        Assert.StartsWith("430 ", await probe.AskAsync("STAT <" + new string('x', 400) + ">"), StringComparison.Ordinal);
        await probe.SendAsync(new string('x', 100_000));
        Assert.True(await EndsAsync(probe), "an endless line ends the connection");
    }

    [Fact]
    public async Task QUIT_is_answered_and_closes_the_connection()
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        await probe.SendAsync("DATE\r\nQUIT\r\nDATE\r\n");
        Assert.StartsWith("111 ", await probe.LineAsync(), StringComparison.Ordinal);
        Assert.StartsWith("205 ", await probe.LineAsync(), StringComparison.Ordinal);
        Assert.Null(await probe.LineAsync());
        Assert.Equal(0, provider.Stats.ConnectionsOpen);
    }

    [Fact]
    public async Task DATE_follows_the_clock()
    {
        Post.Seeded(out var store);
        var time = new ManualTimeProvider(new DateTimeOffset(2025, 3, 4, 1, 0, 0, TimeSpan.Zero));
        await using var provider = MockProvider.Start(store, new MockProviderOptions { Time = time });
        await using var probe = await Probe.OpenAsync(provider);
        Assert.Equal("111 20250304010000", await probe.AskAsync("DATE"));
    }

    private static async Task<bool> EndsAsync(Probe probe)
    {
        try
        {
            return await probe.LineAsync() is null;
        }
        catch (IOException)
        {
            return true;
        }
    }
}
