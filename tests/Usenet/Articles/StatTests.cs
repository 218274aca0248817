using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Whether an article exists, asked without fetching it.</summary>
public sealed class StatTests
{
    [Fact]
    public async Task An_existing_article_is_found_without_payload()
    {
        await using var usenet = new UsenetFixture();
        var file = usenet.Post(20_000_000);
        var stats = await Task.WhenAll(
            file.Segments.Select(segment => usenet.Client.StatAsync(segment.MessageId, FetchPriority.Import, UsenetFixture.Limit)));
        Assert.All(stats, stat => Assert.Null(stat.Fault));
        Assert.Equal(0, usenet.Mock.Stats.PayloadBytes);
    }

    [Fact]
    public async Task An_article_that_one_provider_lacks_is_asked_of_the_other_and_is_missing_if_both_lack_it()
    {
        await using var usenet = new UsenetFixture(
            [new() { Name = "one", Holds = segment => segment.Index > 1 }, new() { Name = "two", Holds = segment => segment.Index > 0 }],
                (options, index) => options with { Priority = index });
        var file = usenet.Post(3_000_000);
        var stats = await Task.WhenAll(
            file.Segments.Select(segment => usenet.Client.StatAsync(segment.MessageId, FetchPriority.Import, UsenetFixture.Limit)));
        Assert.Equal(ContentFault.Missing, stats[0].Fault);
        Assert.Contains("missing on every provider (one, two)", stats[0].Reason, StringComparison.Ordinal);
        Assert.All(stats[1..], stat => Assert.Null(stat.Fault));
    }

    [Fact]
    public async Task STAT_and_BODY_share_connections_without_mixing_answers()
    {
        await using var usenet = new UsenetFixture(configure: (options, _) => options with { MaxConnections = 1 });
        var file = usenet.Post(10_000_000);
        usenet.Mock.Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.Index % 5 == 3));
        var stats = file.Segments.Select(segment => usenet.Client.StatAsync(segment.MessageId, FetchPriority.Import, UsenetFixture.Limit))
            .ToArray();
        var probes = file.Segments.Select(segment => usenet.Client.ProbeAsync(segment.MessageId, FetchPriority.Import, UsenetFixture.Limit))
            .ToArray();
        for (var i = 0; i < stats.Length; i++)
        {
            ContentFault? expected = i % 5 == 3 ? ContentFault.Missing : null;
            Assert.Equal((expected, expected), ((await stats[i]).Fault, (await probes[i]).Fault));
            Assert.Equal(expected is null ? file.Segments[i].Offset : null, (await probes[i]).Header?.Begin);
        }
    }

    [Theory]
    [InlineData("HEAD")]
    [InlineData("BODY")]
    public async Task A_server_that_does_not_know_STAT_is_asked_by_another_command(string known)
    {
        var heard = new ConcurrentQueue<string>();
        await using var server = new ScriptedServer(peer => ServeAsync(peer, known, heard));
        await using var usenet = new UsenetFixture(configure: (options, _) => options with { Port = server.Port, MaxConnections = 1 });
        for (var round = 0; round < 2; round++)
        {
            heard.Clear();
            var stats = await Task.WhenAll(Enumerable.Range(0, 20)
                .Select(i => usenet.Client.StatAsync(i % 5 == 3 ? $"gone{i}" : $"here{i}", FetchPriority.Import, UsenetFixture.Limit)))
                .WaitAsync(TimeSpan.FromSeconds(60));
            Assert.All(stats, (stat, i) => Assert.Equal(i % 5 == 3 ? ContentFault.Missing : null, stat.Fault));
        }

        // Learned once, on a connection that stays.
        Assert.Equal(1, server.Connections);
        Assert.Equal(20, heard.Count);
        Assert.All(heard, line => Assert.StartsWith(known, line, StringComparison.Ordinal));
    }

    /// <summary>
    /// A server that knows one command, and none before it of STAT, HEAD and BODY. The second line of its blocks is long, and ends with a
    /// dot.
    /// </summary>
    private static async Task ServeAsync(ScriptedPeer peer, string known, ConcurrentQueue<string> heard)
    {
        await peer.SayAsync("200 hello\r\n");
        while (await peer.HearAsync() is { } line)
        {
            heard.Enqueue(line);
            await peer.SayAsync(
                !line.StartsWith(known, StringComparison.Ordinal) ? "500 what?\r\n"
                : line.Contains("gone", StringComparison.Ordinal) ? "430 no\r\n"
                : $"{(known == "HEAD" ? 221 : 222)} 0 <x>\r\nfirst\r\n{new string('x', 10_000)}.\r\n..\r\n.\r\n");
        }
    }

    [Theory]
    [InlineData("a\r\nQUIT")]
    [InlineData("")]
    public async Task An_invalid_message_id_is_not_sent(string id)
    {
        await using var usenet = new UsenetFixture();
        Assert.Equal(ContentFault.Missing, (await usenet.Client.StatAsync(id, FetchPriority.Import, UsenetFixture.Limit)).Fault);
    }

    [Fact]
    public async Task A_cancelled_STAT_returns_at_once()
    {
        // A server that takes connections and never greets.
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var port = ((IPEndPoint)silent.LocalEndpoint).Port;
        await using var usenet = new UsenetFixture(configure: (options, _) => options with { Port = port }, time: new ManualTimeProvider());
        using var stop = new CancellationTokenSource();
        var stat = usenet.Client.StatAsync("a@b", FetchPriority.Import, stop.Token);
        Assert.False(stat.IsCompleted);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stat);
    }

    [Fact]
    public async Task A_probe_that_knows_its_articles_position_rejects_another_part()
    {
        await using var usenet = new UsenetFixture(
            [new() { Name = "one" }, new() { Name = "two" }], (options, index) => options with { Priority = index });
        var file = usenet.Post(3_000_000);
        usenet.Mocks[0].Faults.Add(Fault.WrongArticle(), FaultTarget.All);
        var probe = await usenet.Client.ProbeAsync(
            new SegmentKey(file.Segments[0].MessageId, 0, 0), FetchPriority.Import, headBytes: 100, UsenetFixture.Limit);
        Assert.Equal((null, 0L, 100), (probe.Fault, probe.Header!.Begin, probe.Head.Length));
        var expected = new byte[100];
        file.Source.Fill(0, expected);
        Assert.Equal(expected, probe.Head.ToArray());
    }
}
