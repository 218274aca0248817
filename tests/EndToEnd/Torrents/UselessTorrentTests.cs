using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <summary>Torrents that an *arr cannot use.</summary>
public sealed class UselessTorrentTests
{
    [Theory]
    [InlineData("Show.S01E01.exe", "tv", "It is a program")]
    [InlineData("Show.S01E01.mp3", "tv", "There is no video in this torrent")]
    [InlineData("Show.S01E01.rar", "tv", null)]
    [InlineData("Show.S01E01.exe", "other", null)]
    [InlineData("4f1c9a", "tv", null)]
    public async Task A_torrent_without_a_video_is_refused_where_a_post_is(string name, string category, string? says)
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(200_000, name));
        await using var gateway = await Gateway.StartAsync(news);
        await gateway.Client.PutAsync(DavClient.Path("torrents", category, "Show.torrent"), swarm.File);
        var job = (await gateway.WaitAsync("Show"))!;
        Assert.Equal(says is null ? JobState.Completed : JobState.Failed, job.State);
        if (says is not null)
            Assert.Contains(says, job.FailureMessage, StringComparison.Ordinal);
    }
}
