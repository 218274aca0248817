using NzbDav.Usenet.Disk;

namespace NzbDav.Usenet.Tests.Disk;

/// <summary>The index of the disk cache.</summary>
public sealed class PlaceTableTests
{
    /// <summary>Articles of a post of 500 GB.</summary>
    private const int Many = 700_000;

    [Fact]
    public void An_index_of_700_000_articles_takes_less_than_30_bytes_each()
    {
        var table = new PlaceTable(0);
        for (var i = 0; i < Many; i++)
        {
            if (table.IsFull)
                table = table.Rebuild(static _ => true);
            table.Set(KeyOf(i), PlaceOf(i));
        }

        Assert.InRange(table.Bytes, 16L * Many, 30L * Many);
        for (var i = 0; i < Many; i++)
        {
            Assert.True(table.TryFind(KeyOf(i), out var place));
            Assert.Equal(PlaceOf(i), place);
        }

        Assert.False(table.TryFind(KeyOf(Many), out _));
    }

    [Fact]
    public void Entries_of_deleted_files_do_not_make_the_index_grow()
    {
        var table = new PlaceTable(0);
        var bytes = 0L;
        for (var i = 0; i < 200_000; i++)
        {
            // A hundred files of a hundred articles live at a time.
            var oldest = (uint)(i / 100) - 99;
            if (table.IsFull)
                table = table.Rebuild(segment => i < 10_000 || segment >= oldest);
            table.Set(KeyOf(i), new CachePlace((uint)(i / 100) + 1, 0, 1));
            bytes = Math.Max(bytes, table.Bytes);
        }

        Assert.InRange(bytes, 1, 16 * 40_000);
        Assert.True(table.TryFind(KeyOf(199_999), out _));
    }

    [Fact]
    public void Setting_a_key_again_replaces_its_place()
    {
        var table = new PlaceTable(0);
        table.Set(1, new CachePlace(1, 2, 3));
        table.Set(1, new CachePlace(4, 5, 6));
        Assert.True(table.TryFind(1, out var place));
        Assert.Equal((new CachePlace(4, 5, 6), 1), (place, table.Used));
    }

    private static ulong KeyOf(int i) => CacheRecord.KeyOf($"part{i}of700000.abc@news.example");

    private static CachePlace PlaceOf(int i) => new((uint)(i / 90) + 1, (ushort)(i % 90 * 176), 176);
}
