using System.Text.Json.Nodes;
using NzbDav.Arr.Queue;
using NzbDav.Arr.Repair;
using NzbDav.Fakes;

namespace NzbDav.Arr.Tests;

/// <summary>Torrents that an *arr is told to give up.</summary>
public sealed class FailedDownloadTests
{
    private static readonly string Hash = new('a', 40);

    private readonly ManualTimeProvider _time = new();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_torrent_in_the_queue_is_blocklisted_and_another_one_is_searched_for(bool searchesByItself)
    {
        await using var fake = await FakeArr.StartAsync();
        fake.AutoRedownloadFailed = searchesByItself;
        fake.Queue.Add(Row(1, new string('B', 40)));
        fake.Queue.Add(Row(2, Hash.ToUpperInvariant()));
        fake.Queue.Add(Row(3, Hash.ToUpperInvariant()));
        using var client = fake.Client();
        var result = await new FailedDownload(client, new SearchGate(_time)).RunAsync(Hash);

        Assert.Equal(FailedDownloadOutcome.Done, result);
        Assert.Equal(["DELETE queue/2?removeFromClient=true&blocklist=true&skipRedownload=false"], fake.Lines("DELETE"));
        Assert.Equal(searchesByItself ? [] : ["[102,103]"], fake.Commands.Select(command => command["episodeIds"]!.ToJsonString()));
    }

    [Fact]
    public async Task A_second_failure_within_a_minute_waits()
    {
        await using var fake = await FakeArr.StartAsync();
        fake.Queue.Add(Row(1, Hash.ToUpperInvariant()));
        using var client = fake.Client();
        var gate = new SearchGate(_time);
        Assert.True(gate.TryEnter(out _));
        var failed = new FailedDownload(client, gate);
        Assert.Equal(FailedDownloadOutcome.Later, await failed.RunAsync(Hash));
        Assert.Empty(fake.Lines("DELETE"));
        _time.Advance(SearchGate.Interval);
        Assert.Equal(FailedDownloadOutcome.Done, await failed.RunAsync(Hash));
    }

    [Fact]
    public async Task A_grab_that_left_the_queue_is_marked_as_failed_once()
    {
        await using var fake = await FakeArr.StartAsync();
        fake.History.Add(Grab(7, Hash));
        using var client = fake.Client();
        var failed = new FailedDownload(client, new SearchGate(_time));
        Assert.Equal(FailedDownloadOutcome.Done, await failed.RunAsync(Hash));
        Assert.Equal(["POST history/failed/7"], fake.Lines("POST"));
        Assert.Equal(FailedDownloadOutcome.Unknown, await failed.RunAsync(Hash));
        Assert.Equal(FailedDownloadOutcome.Unknown, await failed.RunAsync(new string('c', 40)));
    }

    [Fact]
    public async Task Grabs_that_left_the_queue_are_marked_as_failed_one_a_minute()
    {
        await using var fake = await FakeArr.StartAsync();
        var other = new string('c', 40);
        fake.History.Add(Grab(7, Hash));
        fake.History.Add(Grab(8, other));
        using var client = fake.Client();
        var failed = new FailedDownload(client, new SearchGate(_time));
        Assert.Equal(FailedDownloadOutcome.Done, await failed.RunAsync(Hash));
        Assert.Equal(FailedDownloadOutcome.Later, await failed.RunAsync(other));
        Assert.Equal(["POST history/failed/7"], fake.Lines("POST"));
        _time.Advance(SearchGate.Interval);
        Assert.Equal(FailedDownloadOutcome.Done, await failed.RunAsync(other));
        Assert.Equal(["POST history/failed/7", "POST history/failed/8"], fake.Lines("POST"));
    }

    [Fact]
    public async Task A_grab_that_cannot_be_marked_as_failed_does_not_use_up_the_minute()
    {
        await using var fake = await FakeArr.StartAsync();
        fake.History.Add(Grab(7, Hash));
        fake.Before = context =>
        {
            context.Response.StatusCode = 500;
            return Task.FromResult(context.Request.Method == "POST");
        };
        using var client = fake.Client();
        var failed = new FailedDownload(client, new SearchGate(_time));
        Assert.Equal(FailedDownloadOutcome.NoAnswer, await failed.RunAsync(Hash));
        fake.Before = null;
        Assert.Equal(FailedDownloadOutcome.Done, await failed.RunAsync(Hash));
    }

    [Fact]
    public async Task A_grab_that_left_the_queue_is_searched_for_if_the_arr_does_not_do_so_itself()
    {
        await using var fake = await FakeArr.StartAsync();
        fake.AutoRedownloadFailed = false;
        fake.History.Add(Grab(7, Hash));
        fake.History.Add(Grab(8, Hash));
        using var client = fake.Client();
        Assert.Equal(FailedDownloadOutcome.Done, await new FailedDownload(client, new SearchGate(_time)).RunAsync(Hash));
        Assert.Equal(["[107,108]"], fake.Commands.Select(command => command["episodeIds"]!.ToJsonString()));
    }

    private static JsonObject Grab(int id, string hash) => new()
    {
        ["id"] = id,
        ["seriesId"] = 9,
        ["episodeId"] = 100 + id,
        ["eventType"] = "grabbed",
        ["downloadId"] = hash.ToUpperInvariant(),
        ["date"] = "2030-01-01T00:00:00Z",
    };

    private static JsonObject Row(int id, string downloadId) => new()
    {
        ["id"] = id,
        ["seriesId"] = 9,
        ["episodeId"] = 100 + id,
        ["downloadId"] = downloadId,
        ["protocol"] = "torrent",
        ["trackedDownloadState"] = "downloading",
    };
}
