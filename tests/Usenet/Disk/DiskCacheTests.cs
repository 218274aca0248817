using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Disk;

namespace NzbDav.Usenet.Tests.Disk;

/// <summary>Files watched again come from the disk.</summary>
public sealed class DiskCacheTests
{
    [Theory]
    [InlineData(PageCacheUse.Bypassed)]
    [InlineData(PageCacheUse.Dropped)]
    [InlineData(PageCacheUse.Kept)]
    internal async Task The_second_playback_asks_the_provider_for_nothing(PageCacheUse use)
    {
        await using var fixture = new DiskCacheFixture(new FaultyFiles(use));
        var file = fixture.Post("film.mkv", 37);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        Assert.Equal((37, 37L), (fixture.Asked, fixture.Cache.Status.Articles));
        await fixture.ReadAsync(file);
        var status = fixture.Cache.Status;
        Assert.Equal((37, 37L, 37L, 0L), (fixture.Asked, status.Hits, status.Misses, status.Dropped));
        Assert.Equal(file.Source.Length, status.BytesRead);
        Assert.Equal((DiskCacheState.On, null), (status.State, status.Reason));
    }

    [Fact]
    public async Task Stored_articles_survive_a_restart()
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", 37);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        var size = fixture.Cache.Status.Size;
        await fixture.EndAsync();
        await fixture.BeginAsync();
        Assert.Equal(37, fixture.Cache.Status.Articles);
        Assert.Equal(fixture.Segments.Sum(static path => new FileInfo(path).Length), fixture.Cache.Status.Size);
        Assert.True(fixture.Cache.Status.Size >= size);
        await fixture.ReadAsync(file);
        Assert.Equal(37, fixture.Asked);
    }

    [Theory]
    [InlineData(ReadIntent.Import)]
    [InlineData(ReadIntent.Health)]
    internal async Task Imports_and_checks_neither_fill_the_cache_nor_read_it(ReadIntent intent)
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", 12);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file, intent);
        Assert.Equal((0L, 12), (fixture.Cache.Status.Articles, fixture.Asked));
        await fixture.ReadAsync(file);
        Assert.Equal((12L, 24), (fixture.Cache.Status.Articles, fixture.Asked));
        await fixture.ReadAsync(file, intent);
        Assert.Equal((0L, 36), (fixture.Cache.Status.Hits, fixture.Asked));
    }

    [Fact]
    public async Task The_limit_holds_and_the_least_recently_watched_file_is_evicted()
    {
        await using var fixture = new DiskCacheFixture();
        var files = Enumerable.Range(0, 8).Select(i => fixture.Post($"film{i}.mkv", 20)).ToArray();
        await fixture.BeginAsync(limit: 1 << 20);
        foreach (var file in files)
        {
            await fixture.ReadAsync(file);
            Assert.InRange(fixture.Segments.Sum(static path => new FileInfo(path).Length), 1, 1 << 20);
        }

        Assert.True(fixture.Cache.Status.BytesEvicted > 0);
        var asked = fixture.Asked;
        await fixture.ReadAsync(files[^1]);
        Assert.Equal(asked, fixture.Asked);
        await fixture.ReadAsync(files[0]);
        Assert.Equal(asked + 20, fixture.Asked);
    }

    [Fact]
    public async Task A_smaller_limit_applies_at_once_and_0_deletes_everything()
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", 60);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        fixture.Cache.Apply(new DiskCacheOptions(fixture.Folder, 600_000));
        await fixture.Cache.FlushAsync();
        Assert.InRange(fixture.Segments.Sum(static path => new FileInfo(path).Length), 1, 600_000);
        await fixture.ReadAsync(file);
        fixture.Cache.Apply(new DiskCacheOptions(fixture.Folder, 0));
        await fixture.Cache.FlushAsync();
        Assert.False(Directory.Exists(fixture.Folder));
        Assert.Equal((DiskCacheState.Off, 0L, 0L), (fixture.Cache.Status.State, fixture.Cache.Status.Size, fixture.Cache.Status.Articles));
        await fixture.ReadAsync(file);
        Assert.False(Directory.Exists(fixture.Folder));
    }

    [Fact]
    public async Task A_changed_folder_is_used_at_once_and_the_old_one_is_emptied()
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", 12);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        var strange = Path.Combine(fixture.Folder, "notes.txt");
        File.WriteAllText(strange, "not ours");
        fixture.Cache.Apply(new DiskCacheOptions(fixture.OtherFolder, 1 << 20));
        await fixture.Cache.FlushAsync();
        Assert.Equal([strange], Directory.GetFiles(fixture.Folder));
        await fixture.ReadAsync(file);
        await fixture.ReadAsync(file);
        Assert.Equal((24, 12L), (fixture.Asked, fixture.Cache.Status.Articles));
        Assert.NotEmpty(Directory.GetFiles(fixture.OtherFolder, "*.articles"));
    }

    [Fact]
    public async Task A_folder_that_another_process_uses_is_refused_with_the_reason()
    {
        await using var fixture = new DiskCacheFixture();
        Directory.CreateDirectory(fixture.Folder);
        using (new FileStream(Path.Combine(fixture.Folder, "articles.lock"), FileMode.Create, FileAccess.ReadWrite, FileShare.None))
        {
            await fixture.BeginAsync();
            Assert.Equal(DiskCacheState.Failing, fixture.Cache.Status.State);
            Assert.Contains("articles.lock", fixture.Cache.Status.Reason, StringComparison.Ordinal);
        }

        var file = fixture.Post("film.mkv", 3);
        await fixture.ReadAsync(file);
        Assert.Equal(3, fixture.Asked);
    }

    [Fact]
    public async Task A_file_watched_again_on_another_day_outlives_files_watched_once()
    {
        var clock = new ManualTimeProvider();
        await using var fixture = new DiskCacheFixture(time: clock);
        var loved = fixture.Post("loved.mkv", 10);
        await fixture.BeginAsync(limit: 1 << 20);
        await fixture.ReadAsync(loved);
        clock.Advance(TimeSpan.FromDays(1));
        await fixture.ReadAsync(loved);
        for (var i = 0; i < 8; i++)
        {
            clock.Advance(TimeSpan.FromDays(1));
            await fixture.ReadAsync(fixture.Post($"passing{i}.mkv", 10));
        }

        var asked = fixture.Asked;
        await fixture.ReadAsync(loved);
        Assert.Equal(asked, fixture.Asked);

        // A restart does not forget that.
        await fixture.EndAsync();
        await fixture.BeginAsync(limit: 1 << 20);
        for (var i = 8; i < 16; i++)
        {
            clock.Advance(TimeSpan.FromDays(1));
            await fixture.ReadAsync(fixture.Post($"passing{i}.mkv", 10));
        }

        asked = fixture.Asked;
        await fixture.ReadAsync(loved);
        Assert.Equal(asked, fixture.Asked);
    }
}
