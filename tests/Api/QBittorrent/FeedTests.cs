using System.Net;
using Microsoft.Extensions.Logging;

namespace NzbDav.Api.Tests.QBittorrent;

/// <summary>Log, feeds and search, which dashboards and apps read. Only the log has entries.</summary>
public sealed class FeedTests
{
    [Theory]
    [InlineData("rss/items?withData=true", "{}")]
    [InlineData("rss/rules", "{}")]
    [InlineData("rss/matchingArticles?ruleName=x", "{}")]
    [InlineData("search/plugins", "[]")]
    [InlineData("search/status", "[]")]
    [InlineData("log/peers?last_known_id=-1", "[]")]
    public async Task QBT_13_Unsupported_lists_are_empty(string call, string expected)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        Assert.Equal(expected, (await qbit.ReadAsync(call)).GetRawText());
    }

    [Theory]
    [InlineData("rss/addFeed", HttpStatusCode.Conflict)]
    [InlineData("rss/setRule", HttpStatusCode.Conflict)]
    [InlineData("rss/removeRule", HttpStatusCode.OK)]
    [InlineData("search/start", HttpStatusCode.Conflict)]
    [InlineData("search/stop", HttpStatusCode.NotFound)]
    [InlineData("search/results", HttpStatusCode.NotFound)]
    [InlineData("search/updatePlugins", HttpStatusCode.OK)]
    [InlineData("app/setCookies", HttpStatusCode.OK)]
    [InlineData("rss/nonsense", HttpStatusCode.NotFound)]
    [InlineData("search/nonsense", HttpStatusCode.NotFound)]
    public async Task QBT_13_Unsupported_commands_are_refused_as_qBittorrent_does(string call, HttpStatusCode expected)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var form = new Dictionary<string, string>
        {
            ["url"] = "http://x/rss",
            ["ruleName"] = "r",
            ["ruleDef"] = "{}",
            ["pattern"] = "film",
            ["category"] = "all",
            ["plugins"] = "all",
            ["id"] = "7",
            ["cookies"] = "[]",
        };
        Assert.Equal(expected, (await qbit.DoAsync(call, form)).Status);
    }

    [Fact]
    public async Task QBT_13_Log_lines_are_numbered_and_returned_from_a_given_number()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var logger = qbit.Inner.Get<ILoggerFactory>().CreateLogger("test");
        logger.LogWarning("one");
        logger.LogError("two");
        var lines = (await qbit.ReadAsync("log/main?normal=true&info=true&warning=true&critical=true&last_known_id=-1")).EnumerateArray()
            .TakeLast(2).ToArray();
        Assert.Equal([("one", 4), ("two", 8)],
            lines.Select(line => (line.GetProperty("message").GetString()!, line.GetProperty("type").GetInt32())));
        var first = lines[0].GetProperty("id").GetInt32();
        Assert.Equal(first + 1, lines[1].GetProperty("id").GetInt32());
        Assert.Equal("two",
            Assert.Single((await qbit.ReadAsync($"log/main?last_known_id={first}")).EnumerateArray()).GetProperty("message").GetString());
        Assert.Equal(0, (await qbit.ReadAsync($"log/main?last_known_id={first}&critical=false")).GetArrayLength());

        // More lines than are kept (20): numbers are not reused.
        for (var i = 0; i < 30; i++)
            logger.LogWarning("more {Number}", i);
        Assert.Equal(
            first + 21, (await qbit.ReadAsync($"log/main?last_known_id={first}")).EnumerateArray().Last().GetProperty("id").GetInt32());
    }
}
