using NzbDav.Api.Sab.Adding;
using NzbDav.Fakes;

namespace NzbDav.Api.Tests.Sab;

public sealed class GrabFaultTests
{
    /// <summary>More addresses than are fetched at a time, each with an unexpected exception behind it.</summary>
    [Fact]
    public async Task An_internal_error_ends_one_fetch_and_the_next_ones_go_on()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["127.0.0.1"] });
        var faults = 0;
        var grabs = sab.Get<UrlGrabs>();
        grabs.Changed += id =>
        {
            if (grabs.Pending.All(grab => grab.Id != id) && Interlocked.Increment(ref faults) <= 5)
                throw new InvalidOperationException("A handler with a bug.");
        };

        for (var i = 1; i <= 6; i++)
            await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "get")}&nzbname=Show{i}");
        await Until.TrueAsync(async () => ArrReader.Queue(await sab.AskAsync("mode=queue")).Count(item => item.Status == "Queued") == 6);
        Assert.Empty(grabs.Pending);
    }
}
