using NzbDav.Catalog.Settings;
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests.Settings;

public class SettingStoreTests
{
    [Fact]
    public async Task Values_are_kept_changed_and_removed()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        Assert.Null(await catalog.Settings.GetAsync("a", CancellationToken.None));
        await catalog.Settings.SetAsync("a", "1", CancellationToken.None);
        await catalog.Settings.SetAsync("b", "", CancellationToken.None);
        await catalog.Settings.SetAsync("a", "2 🎬", CancellationToken.None);
        Assert.Equal("2 🎬", await catalog.Settings.GetAsync("a", CancellationToken.None));
        Assert.Equal("", await catalog.Settings.GetAsync("b", CancellationToken.None));
        await catalog.Settings.SetAsync("b", null, CancellationToken.None);
        Assert.Equal(["a"], (await catalog.Settings.GetAllAsync(CancellationToken.None)).Keys);
        await using var again = await catalog.OpenOtherAsync();
        Assert.Equal("2 🎬", await again.Settings.GetAsync("a", CancellationToken.None));
    }

    [Fact]
    public async Task Concurrent_first_reads_all_see_the_settings()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.Settings.SetAsync("a", "1", CancellationToken.None);
        for (var round = 0; round < 100; round++)
        {
            // As after a start: several threads read at once.
            var store = new SettingStore(catalog.Database);
            using var together = new Barrier(4);
            var seen = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Factory.StartNew(
                () =>
                {
                    together.SignalAndWait();
                    return store.GetAsync("a", CancellationToken.None).AsTask();
                },
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default).Unwrap()));
            Assert.All(seen, value => Assert.Equal("1", value));
        }
    }

    [Fact]
    public async Task Each_change_is_reported_once_in_its_own_and_in_other_processes()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        await catalog.Settings.SetAsync("before", "x", CancellationToken.None);
        await other.Settings.GetAsync("before", CancellationToken.None);
        var here = new List<string>();
        var there = new List<string>();
        var told = new TaskCompletionSource();
        catalog.Settings.Changed += here.Add;
        other.Settings.Changed += key =>
        {
            there.Add(key);
            told.TrySetResult();
        };
        await catalog.Settings.SetAsync("a", "1", CancellationToken.None);
        await catalog.Settings.SetAsync("a", "1", CancellationToken.None);
        Assert.Equal(["a"], here);
        catalog.Clock.Advance(TimeSpan.FromSeconds(2));

        // With SQLite the first look finds it. PostgreSQL tells of it, a moment later.
        await Until.TrueAsync(async () => await other.Settings.GetAsync("a", CancellationToken.None) == "1");
        await told.Task.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(["a"], there);
        Assert.Equal("1", await other.Settings.GetAsync("a", CancellationToken.None));
        Assert.Equal(["a"], there);
    }

    [Fact]
    public async Task Own_values_are_visible_at_once_whatever_others_do()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(worker => Task.Run(async () =>
        {
            for (var i = 0; i < 30; i++)
            {
                await catalog.Settings.SetAsync($"{worker}", $"{i}", CancellationToken.None);
                Assert.Equal($"{i}", await catalog.Settings.GetAsync($"{worker}", CancellationToken.None));
            }
        })));
        Assert.Equal(8, (await catalog.Settings.GetAllAsync(CancellationToken.None)).Count);
    }
}
