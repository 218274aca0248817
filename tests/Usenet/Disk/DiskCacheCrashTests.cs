using NzbDav.Usenet.Disk;

namespace NzbDav.Usenet.Tests.Disk;

/// <summary>Damage from a crash or a bad disk never reaches a reader.</summary>
public sealed class DiskCacheCrashTests
{
    private const int PerFile = 12;
    private const int Articles = PerFile + 3;
    private const int Record = 5 * CacheRecord.Block;

    [Fact]
    public async Task A_killed_process_loses_nothing_that_was_written()
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", 37);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        await fixture.EndAsync(orderly: false);
        await fixture.BeginAsync();
        Assert.Equal(37, fixture.Cache.Status.Articles);
        await fixture.ReadAsync(file);
        Assert.Equal(37, fixture.Asked);
        Assert.Equal(0, fixture.Cache.Status.Damaged);
    }

    [Fact]
    public async Task A_file_truncated_at_any_block_keeps_the_articles_before_it()
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", Articles);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        await fixture.EndAsync(orderly: false);
        var paths = fixture.Segments;
        Assert.Equal(2, paths.Length);
        var whole = paths.Select(File.ReadAllBytes).ToArray();
        for (var cut = 0; cut <= whole[1].Length; cut += CacheRecord.Block)
        {
            File.WriteAllBytes(paths[0], whole[0]);
            File.WriteAllBytes(paths[1], whole[1][..cut]);
            await fixture.BeginAsync();
            Assert.Equal(PerFile + (cut / Record), fixture.Cache.Status.Articles);
            var asked = fixture.Asked;
            await fixture.ReadAsync(file);
            Assert.Equal(Articles - PerFile - (cut / Record), fixture.Asked - asked);
            Assert.Equal(0, fixture.Cache.Status.Damaged);
            await fixture.EndAsync();
            Directory.Delete(fixture.Folder, recursive: true);
            Directory.CreateDirectory(fixture.Folder);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_flipped_bit_anywhere_is_detected_and_the_provider_is_asked(bool orderly)
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", Articles);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        await fixture.EndAsync(orderly);
        var path = fixture.Segments[0];
        var whole = File.ReadAllBytes(path);

        // In the header's fields and texts, in the bytes of each record, and in the index at the end.
        var places = Enumerable.Range(0, 12).Select(static i => i * 11).Concat(Enumerable.Range(0, whole.Length / 40_009)
            .Select(static i => i * 40_009)).Append(whole.Length - 4096).Append(whole.Length - 4072);
        foreach (var place in places)
        {
            var bytes = (byte[])whole.Clone();
            bytes[place] ^= 0x10;
            File.WriteAllBytes(path, bytes);
            await fixture.BeginAsync();
            await fixture.ReadAsync(file);

            // Whatever was damaged has been replaced.
            var asked = fixture.Asked;
            await fixture.ReadAsync(file);
            Assert.Equal(asked, fixture.Asked);
            await fixture.EndAsync();
        }
    }

    [Fact]
    public async Task Zeroed_blocks_after_a_power_cut_are_not_articles()
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", 10);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        await fixture.EndAsync(orderly: false);
        var path = Assert.Single(fixture.Segments);
        var bytes = File.ReadAllBytes(path);

        // The length was on the disk, some of the data was not: a header without its bytes, and nothing at all behind it.
        Array.Clear(bytes, (4 * Record) + CacheRecord.Block, bytes.Length - (4 * Record) - CacheRecord.Block);
        File.WriteAllBytes(path, bytes);
        await fixture.BeginAsync();
        Assert.Equal(5, fixture.Cache.Status.Articles);
        await fixture.ReadAsync(file);
        Assert.Equal((1L, 16), (fixture.Cache.Status.Damaged, fixture.Asked));
    }

    [Fact]
    public async Task A_file_renamed_to_another_number_is_not_accepted()
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", Articles);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        await fixture.EndAsync();
        var paths = fixture.Segments;
        File.Move(paths[1], paths[0], overwrite: true);
        await fixture.BeginAsync();
        Assert.Equal(0, fixture.Cache.Status.Articles);
        await fixture.ReadAsync(file);
        Assert.Equal(2 * Articles, fixture.Asked);
    }
}
