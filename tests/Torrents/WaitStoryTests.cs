using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Seeders;

namespace NzbDav.Torrents.Tests;

/// <summary>A long wait of a torrent's reader tells what stood in the way.</summary>
public sealed class WaitStoryTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task A_wait_of_a_second_reports_that_no_peer_had_the_piece()
    {
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(1_000_000), [new SeederOptions { Has = static piece => piece != 5 }], time: _time);
        var wait = await WaitAsync(fixture, TimeSpan.FromSeconds(1.2));

        Assert.NotNull(wait);
        Assert.Equal((-1, TimeSpan.FromSeconds(1.2)), (wait.Segment, wait.Waited));
        Assert.Contains("piece 5: ", wait.Trace, StringComparison.Ordinal);
        Assert.Contains("none of 1 connected peers had it", wait.Trace, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_shorter_wait_is_not_reported()
    {
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(1_000_000), [new SeederOptions { Has = static piece => piece != 5 }], time: _time);
        Assert.Null(await WaitAsync(fixture, TimeSpan.FromSeconds(0.9)));
    }

    private async Task<ReaderWait?> WaitAsync(SwarmFixture fixture, TimeSpan time)
    {
        var torrent = fixture.Add();
        var info = await torrent.DescribeAsync(default);
        await using var reader = torrent.Open(info.Files[0]).OpenReader(0, 1_000_000, ReadIntent.Playback);
        await fixture.CompareAsync(reader, 0, 5 * SwarmFixture.PieceLength);
        using var cancel = new CancellationTokenSource();

        // The read waits when the call returns, and is checked every 100 ms.
        var reading = reader.NextAsync(cancel.Token);
        Assert.False(reading.IsCompleted);
        for (var step = TimeSpan.Zero; step < time; step += TimeSpan.FromMilliseconds(100))
            _time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Null(reader.Observe().LastWait);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await reading);
        return reader.Observe().LastWait;
    }
}
