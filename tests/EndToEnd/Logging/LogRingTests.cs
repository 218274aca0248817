using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Sessions;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Logging;

namespace NzbDav.EndToEnd.Tests.Logging;

/// <summary>The latest lines of the log, in memory.</summary>
public sealed class LogRingTests
{
    [Fact]
    public void The_oldest_lines_are_dropped_when_there_are_too_many_or_they_are_too_long()
    {
        var ring = new LogRing();
        for (var line = 1; line <= LogRing.MostLines + 10; line++)
            Add(ring, $"line {line}");
        var all = Find(ring, limit: int.MaxValue);
        Assert.Equal((LogRing.MostLines, "line 11", LogRing.MostLines + 10L), (all.Count, all[0].Message, ring.Last));

        var longest = new string('x', LogRing.LongestText);
        for (var line = 1; line <= 1_000; line++)
            Add(ring, longest);
        Assert.InRange(Find(ring, limit: int.MaxValue).Sum(line => line.Message.Length + line.Category.Length), LogRing.MostCharacters / 2,
            LogRing.MostCharacters);
        Add(ring, longest + "more");
        Assert.Equal(LogRing.LongestText + 2, Find(ring, limit: 1)[0].Message.Length);
    }

    [Fact]
    public void Lines_are_found_by_level_category_text_and_number()
    {
        var ring = new LogRing();
        ring.Add(DateTimeOffset.UnixEpoch, LogLineLevel.Debug, "NzbDav.Usenet.Pool", "one", detail: null);
        ring.Add(DateTimeOffset.UnixEpoch, LogLineLevel.Warning, "NzbDav.Import.Queue", "two", "at Somewhere");
        ring.Add(DateTimeOffset.UnixEpoch, LogLineLevel.Error, "NzbDav.Usenet.Pool", "three", detail: null);
        Assert.Equal(["two", "three"], Find(ring, level: LogLineLevel.Warning).Select(line => line.Message));
        Assert.Equal(["one", "three"], Find(ring, category: "nzbdav.usenet").Select(line => line.Message));
        Assert.Equal(["two"], Find(ring, search: "somewhere").Select(line => line.Message));
        Assert.Equal(["two"], Find(ring, after: 1, limit: 1).Select(line => line.Message));
        Assert.Equal(["three"], Find(ring, limit: 1).Select(line => line.Message));
    }

    [Fact]
    public async Task Lines_hold_no_secret_and_include_their_exception()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        var last = (await client.AskAsync("GET", "/api/v1/log/lines?limit=1")).Body.GetProperty("last").GetInt64();
        var logger = gateway.Services.GetRequiredService<ILoggerFactory>().CreateLogger("NzbDav.Test");
#pragma warning disable CA1848, CA1873, CA2254 // A line for this test alone.
        logger.LogError(new InvalidOperationException($"the password is {Gateway.Password}"),
            $"asked http://u:p@host/x?apikey=abcdef with {Gateway.Password}");
#pragma warning restore CA1848, CA1873, CA2254
        var (status, page) = await client.AskAsync("GET", $"/api/v1/log/lines?after={last}&level=error&category=NzbDav.Test");
        Assert.Equal(HttpStatusCode.OK, status);
        var line = Assert.Single(page.GetProperty("lines").EnumerateArray());
        Assert.Equal(("error", "NzbDav.Test", "asked http://host/x?*** with ***"),
            (line.GetProperty("level").GetString(), line.GetProperty("category").GetString(), line.GetProperty("message").GetString()));
        Assert.StartsWith(
            "System.InvalidOperationException: the password is ***", line.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.True(page.GetProperty("last").GetInt64() >= line.GetProperty("id").GetInt64());

        // The line that does show a secret in other outputs shows none here.
        var (_, setup) = await client.AskAsync("GET", "/api/v1/log/lines?search=setup&limit=1000");
        var told = Assert.Single(setup.GetProperty("lines").EnumerateArray().Select(one => one.GetProperty("message").GetString()!),
            one => one.Contains("Create the first user", StringComparison.Ordinal));
        Assert.DoesNotContain(gateway.Services.GetRequiredService<SetupToken>().Value, told, StringComparison.Ordinal);
        foreach (var wrong in new[] { "level=loud", "level=3", "limit=0", "limit=1001" })
            Assert.Equal(HttpStatusCode.BadRequest, (await client.AskAsync("GET", $"/api/v1/log/lines?{wrong}")).Status);
    }

    private static void Add(LogRing ring, string message) =>
        ring.Add(DateTimeOffset.UnixEpoch, LogLineLevel.Information, "Test", message, detail: null);

    private static IReadOnlyList<LogLine> Find(LogRing ring, long? after = null, LogLineLevel level = LogLineLevel.Trace,
        string? category = null, string? search = null, int limit = 100) =>
        ring.Find(after, level, category, search, limit);
}
