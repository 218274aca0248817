using System.Text.Json.Nodes;
using NzbDav.Arr.Queue;
using NzbDav.Arr.Repair;
using NzbDav.Fakes;

namespace NzbDav.Arr.Tests;

/// <summary>Stuck imports.</summary>
public sealed class QueueRulesTests
{
    private readonly ManualTimeProvider _time = new();

    [Theory]
    [InlineData("No files found are eligible for import in /mnt/x", "blocklist=true&skipRedownload=false")]
    [InlineData("Found archive file, might need to be extracted", "blocklist=true&skipRedownload=false")]
    [InlineData("Sample", "blocklist=true&skipRedownload=false")]
    [InlineData("Not an upgrade for existing episode file(s). Existing quality: HD", "blocklist=true&skipRedownload=true")]
    [InlineData("Episode file already imported at 1/1/2030", "blocklist=false&skipRedownload=true")]
    [InlineData("Found matching series via grab history, but automatic import is not possible", null)]
    [InlineData("Not enough free space", null)]
    [InlineData("Unable to determine if file is a sample", null)]
    [InlineData("Something that no rule knows", null)]
    public async Task ARR_02_The_default_rules_match_the_messages(string message, string? query)
    {
        await using var fake = await FakeArr.StartAsync();
        fake.Disk.Add("/mnt/a/Film/readme.txt");
        fake.Queue.Add(Row(1, "SABnzbd_nzo_a", message));
        using var client = fake.Client();
        var rules = new QueueRules(client, Options(), new SearchGate(_time), _time);

        await rules.RunAsync();
        _time.Advance(TimeSpan.FromMinutes(5) - TimeSpan.FromTicks(1));
        Assert.Empty((await rules.RunAsync()).Value!);
        _time.Advance(TimeSpan.FromTicks(1));
        await rules.RunAsync();

        Assert.Equal(query is null ? [] : [$"DELETE queue/1?removeFromClient=true&{query}"], fake.Lines("DELETE"));
        Assert.Empty(fake.Commands);
    }

    [Fact]
    public async Task ARR_02_Other_and_moving_downloads_are_left_alone_and_a_pack_is_removed_at_once()
    {
        await using var fake = await FakeArr.StartAsync();
        fake.AutoRedownloadFailed = false;
        fake.Disk.Add("/mnt/a/Film/sample.mkv");
        fake.Queue.Add(Row(1, "SABnzbd_nzo_a", "Sample"));
        fake.Queue.Add(Row(2, "SABnzbd_nzo_a", "Sample"));
        fake.Queue.Add(Row(3, "SABnzbd_nzo_other", "Sample"));
        fake.Queue.Add(Row(4, "SABnzbd_nzo_b", "Sample", "downloading"));
        fake.Queue.Add(Row(5, "SABnzbd_nzo_c", "Sample"));
        using var client = fake.Client();
        var rules = new QueueRules(client, Options() with { MinMatchTime = TimeSpan.Zero }, new SearchGate(_time), _time);

        Assert.Equal("SABnzbd_nzo_a", Assert.Single((await rules.RunAsync()).Value!).DownloadId);
        Assert.Empty((await rules.RunAsync()).Value!);
        _time.Advance(SearchGate.Interval);
        Assert.Equal("SABnzbd_nzo_c", Assert.Single((await rules.RunAsync()).Value!).DownloadId);

        Assert.Equal([3, 4], fake.Queue.Select(row => (int)row["id"]!));
        Assert.Equal(["[101,102]", "[105]"], fake.Commands.Select(command => command["episodeIds"]!.ToJsonString()));
    }

    [Theory]
    [InlineData("/mnt/a/Film/film.mkv", true)]
    [InlineData("/mnt/a/Film", true)]
    [InlineData("/mnt/a/Film (2030)/film.mkv", false)]
    [InlineData("/mnt/a/", false)]
    [InlineData(null, false)]
    public async Task ARR_02_A_release_is_blamed_only_for_what_the_application_sees(string? seen, bool removed)
    {
        await using var fake = await FakeArr.StartAsync();
        fake.Queue.Add(Row(1, "SABnzbd_nzo_a", "No files found are eligible for import in /mnt/a/Film"));
        if (seen is not null)
            fake.Disk.Add(seen);
        using var client = fake.Client();
        var rules = new QueueRules(client, Options() with { MinMatchTime = TimeSpan.Zero }, new SearchGate(_time), _time);

        var result = Assert.Single((await rules.RunAsync()).Value!);

        Assert.Equal(removed, fake.Queue.Count == 0);
        Assert.Equal(removed, result.Error is null);
        if (removed)
            return;
        Assert.Contains("does not see /mnt/a/Film, so it imports nothing", result.Error!.Message, StringComparison.Ordinal);
        fake.Disk.Add("/mnt/a/Film/film.mkv");
        Assert.Null(Assert.Single((await rules.RunAsync()).Value!).Error);
    }

    [Fact]
    public async Task ARR_02_A_download_is_left_alone_when_the_application_cannot_be_asked_what_it_sees()
    {
        await using var fake = await FakeArr.StartAsync();
        fake.Queue.Add(Row(1, "SABnzbd_nzo_a", "Sample"));
        fake.Before = static context =>
        {
            context.Response.StatusCode = 500;
            return Task.FromResult(context.Request.Path.Value!.EndsWith("/filesystem", StringComparison.Ordinal));
        };
        using var client = fake.Client();
        var rules = new QueueRules(client, Options() with { MinMatchTime = TimeSpan.Zero }, new SearchGate(_time), _time);

        Assert.Equal(500, Assert.Single((await rules.RunAsync()).Value!).Error!.Status);
        Assert.Single(fake.Queue);
    }

    [Fact]
    public async Task ARR_02_Links_that_lead_nowhere_are_told_and_nothing_is_removed()
    {
        await using var fake = await FakeArr.StartAsync();
        fake.Queue.Add(Row(1, "SABnzbd_nzo_a", "Unexpected error processing file"));
        using var client = fake.Client();
        var rules = new QueueRules(client, Options() with { MinMatchTime = TimeSpan.Zero }, new SearchGate(_time), _time);

        Assert.Contains(
            "cannot open what is in /mnt/a/Film", Assert.Single((await rules.RunAsync()).Value!).Error!.Message, StringComparison.Ordinal);
        Assert.Single(fake.Queue);
    }

    [Theory]
    [InlineData("")]
    [InlineData(".*")]
    [InlineData("(")]
    [InlineData("(?=a)b")]
    public void ARR_02_A_dangerous_pattern_is_refused(string pattern) =>
        Assert.Throws<ArgumentException>(() => new QueueRule("x", pattern, QueueAction.Remove));

    /// <summary>A foreign download's id begins like ours.</summary>
    private static QueueRuleOptions Options() => new() { IsOurs = static (id, _) => ValueTask.FromResult(id != "SABnzbd_nzo_other") };

    private static JsonObject Row(int id, string downloadId, string message, string state = "importPending") => new()
    {
        ["id"] = id,
        ["seriesId"] = 9,
        ["episodeId"] = 100 + id,
        ["downloadId"] = downloadId,
        ["protocol"] = "usenet",
        ["outputPath"] = "/mnt/a/Film",
        ["trackedDownloadState"] = state,
        ["trackedDownloadStatus"] = "warning",
        ["statusMessages"] = new JsonArray(new JsonObject { ["title"] = "Sample encrypted.mkv", ["messages"] = new JsonArray(message) }),
    };
}
