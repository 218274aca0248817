using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Pins;

namespace NzbDav.Library.Tests.Pins;

public sealed class PinStoreTests
{
    private const int MiB = PinFixture.MiB;

    private static readonly byte[] Film = SeededBytes.Make(3, 4 * MiB);

    private static PinKey Key => PinFixture.KeyOf(7, Film.Length);

    private static ByteSpan[] Ranges => [new(0, 700_001), new(3 * MiB, 4 * MiB)];

    [Fact]
    public async Task Pinned_ranges_are_read_from_the_disk_also_after_a_restart()
    {
        using var fixture = new PinFixture();
        Assert.True(PinFixture.Pin(fixture.Store, Key, Film, Ranges));

        var restarted = fixture.Open();
        restarted.Load();
        foreach (var store in (PinStore[])[fixture.Store, restarted])
        {
            var inner = new MemoryContent(Film);
            var content = PinFixture.Over(store, inner, Key);
            foreach (var range in Ranges)
                Assert.Equal(Film[(int)range.Start..(int)range.End], await ContentReads.ReadAsync(content, range.Start, range.End));
            Assert.Equal(0, inner.ReadersOpened);
            Assert.Equal(new FileInfo(fixture.Files.Single()).Length, store.Size);
        }
    }

    [Fact]
    public async Task Pins_of_another_map_or_length_are_not_used()
    {
        using var fixture = new PinFixture();
        PinFixture.Pin(fixture.Store, Key, SeededBytes.Make(4, Film.Length), Ranges);
        foreach (var key in (PinKey[])[Key with { Item = 8 }, PinFixture.KeyOf(7, Film.Length, "a better map")])
            Assert.Equal(Film[..1000], await ContentReads.ReadAsync(PinFixture.Over(fixture.Store, new MemoryContent(Film), key), 0, 1000));
        Assert.Equal(
            Film[..1000], await ContentReads.ReadAsync(PinFixture.Over(fixture.Store, new MemoryContent(Film[..2_000_000]), Key), 0, 1000));
        Assert.False(fixture.Store.Has(PinFixture.KeyOf(7, Film.Length, "a better map")));
    }

    [Fact]
    public async Task A_damaged_byte_anywhere_never_reaches_a_reader()
    {
        using var fixture = new PinFixture();
        var film = Film[..300_000];
        var key = PinFixture.KeyOf(7, film.Length);
        PinFixture.Pin(fixture.Store, key, film, new ByteSpan(0, 150_000), new ByteSpan(200_000, 300_000));
        var path = fixture.Files.Single();
        var whole = await File.ReadAllBytesAsync(path);
        foreach (var at in Enumerable.Range(0, 140).Concat(Enumerable.Range(0, 50).Select(step => whole.Length - 1 - (step * 4_999))))
        {
            var damaged = whole.ToArray();
            damaged[at] ^= 0x40;
            await File.WriteAllBytesAsync(path, damaged);
            var store = fixture.Open();
            store.Load();
            var inner = new MemoryContent(film);
            Assert.Equal(film, await ContentReads.ReadAsync(PinFixture.Over(store, inner, key), 0, film.Length - 1) is var bytes
                ? [.. bytes, film[^1]] : null);
            Assert.True(inner.BytesLent > 0, $"byte {at}");
        }
    }

    [Fact]
    public void A_truncated_pin_file_is_ignored_and_removed()
    {
        using var fixture = new PinFixture();
        PinFixture.Pin(fixture.Store, Key, Film, Ranges);
        var path = fixture.Files.Single();
        var whole = File.ReadAllBytes(path);
        foreach (var length in Enumerable.Range(0, 200).Append(whole.Length - 1).Append(whole.Length / 2))
        {
            File.WriteAllBytes(path, whole[..length]);
            var store = fixture.Open();
            store.Load();
            Assert.False(store.Has(Key), $"{length} bytes");
            Assert.Equal(0, store.Size);
            Assert.False(File.Exists(path));
        }
    }

    [Fact]
    public async Task A_pin_missing_from_the_disk_is_read_from_the_content()
    {
        using var fixture = new PinFixture();
        PinFixture.Pin(fixture.Store, Key, Film, Ranges);
        File.Delete(fixture.Files.Single());
        Assert.Equal(
            Film[..500_000], await ContentReads.ReadAsync(PinFixture.Over(fixture.Store, new MemoryContent(Film), Key), 0, 500_000));
        Assert.Equal(0, fixture.Store.Size);
    }

    [Fact]
    public void The_least_recently_used_set_is_evicted_first_and_the_limit_holds_after_a_restart()
    {
        using var fixture = new PinFixture(limit: 3 * MiB);
        foreach (var item in (long[])[1, 2, 3])
        {
            fixture.Time.Advance(TimeSpan.FromHours(2));
            Assert.True(PinFixture.Pin(fixture.Store, PinFixture.KeyOf(item, Film.Length), Film, new ByteSpan(0, 900_000)));
        }

        fixture.Time.Advance(TimeSpan.FromHours(2));
        Assert.NotNull(fixture.Store.Find(PinFixture.KeyOf(1, Film.Length)));
        fixture.Time.Advance(TimeSpan.FromHours(2));
        Assert.True(PinFixture.Pin(fixture.Store, PinFixture.KeyOf(4, Film.Length), Film, new ByteSpan(0, 900_000)));
        Assert.Equal([1, 3, 4], fixture.Store.Items.Order());
        Assert.Equal(fixture.Files.Sum(file => new FileInfo(file).Length), fixture.Store.Size);

        var restarted = fixture.Open(limit: 2 * MiB);
        restarted.Load();
        Assert.Equal(2, restarted.Items.Count);
        Assert.True(restarted.Size <= 2 * MiB);
        Assert.Equal(restarted.Size, fixture.Files.Sum(file => new FileInfo(file).Length));
        Assert.Contains(1, restarted.Items);

        restarted.Limit = 0;
        Assert.Empty(fixture.Files);
        Assert.False(PinFixture.Pin(restarted, Key, Film, Ranges));
    }

    [Fact]
    public void A_pin_dropped_while_it_is_written_is_discarded()
    {
        using var fixture = new PinFixture();
        using (var writer = fixture.Store.Begin(Key, [new ByteSpan(0, 100)])!)
        {
            writer.Append(Film.AsSpan(0, 100));
            fixture.Store.Drop(Key.Item);
            Assert.False(writer.Keep());
        }

        Assert.False(fixture.Store.Has(Key));
        Assert.Empty(fixture.Files);
    }

    [Fact]
    public void An_abandoned_writer_leaves_nothing_and_leftovers_of_a_crash_are_removed()
    {
        using var fixture = new PinFixture();
        using (var writer = fixture.Store.Begin(Key, Ranges)!)
        {
            writer.Append(Film.AsSpan(0, 1_000));
            Assert.Throws<InvalidOperationException>(() => writer.Keep());
        }

        Assert.Empty(fixture.Files);
        File.WriteAllBytes(Path.Combine(fixture.Folder, "0000000000000007.pins.new"), [1, 2, 3]);
        File.WriteAllBytes(Path.Combine(fixture.Folder, "notes.txt"), [1, 2, 3]);
        fixture.Open().Load();
        Assert.Equal("notes.txt", Path.GetFileName(Assert.Single(fixture.Files)));
    }

    [Fact]
    public void An_empty_pin_is_remembered_after_a_restart()
    {
        using var fixture = new PinFixture();
        Assert.True(PinFixture.Pin(fixture.Store, Key, Film));
        var restarted = fixture.Open();
        restarted.Load();
        Assert.True(restarted.Has(Key));
        Assert.Null(restarted.Find(Key));
    }

    /// <summary>A sleeping disk takes ten seconds to spin up. Nobody waits so long for the start of a film.</summary>
    [Fact]
    public async Task A_disk_that_sleeps_delays_a_reader_by_400_ms_and_those_after_it_not_at_all()
    {
        using var fixture = new PinFixture();
        PinFixture.Pin(fixture.Store, Key, Film, Ranges);
        using var awake = new ManualResetEventSlim();
        using var asked = new ManualResetEventSlim();
        fixture.Store.Disk.Before = () =>
        {
            asked.Set();
            awake.Wait();
        };
        fixture.Store.PlayingRate = double.PositiveInfinity;
        var inner = new MemoryContent(Film);
        var content = PinFixture.Over(fixture.Store, inner, Key);
        var first = ContentReads.ReadAsync(content, 0, 200_000);
        asked.Wait();
        fixture.Time.Advance(PinDisk.DiskTimeout - TimeSpan.FromMilliseconds(1));
        Assert.Equal(0, inner.ReadersOpened);
        fixture.Time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(Film[..200_000], await first);
        Assert.Equal(1, inner.ReadersOpened);
        Assert.Equal(Film[100_000..300_000], await ContentReads.ReadAsync(content, 100_000, 300_000));

        // The time of use has to be written too, and a set to go: both wait for the disk, an open does not.
        fixture.Time.Advance(TimeSpan.FromHours(2));
        Assert.Equal(Film[..1_000], await ContentReads.ReadAsync(content, 0, 1_000));
        fixture.Store.Drop(8);
        Assert.True(fixture.Store.Has(Key));

        awake.Set();
        Assert.Single(fixture.Files);
        var before = inner.ReadersOpened;
        Assert.Equal(Film[..200_000], await ContentReads.ReadAsync(content, 0, 200_000));
        Assert.Equal(before, inner.ReadersOpened);
    }

    [Fact]
    public async Task An_open_does_not_wait_for_a_file_that_gets_its_name()
    {
        using var fixture = new PinFixture();
        PinFixture.Pin(fixture.Store, Key, Film, Ranges);
        using var writer = fixture.Store.Begin(Key with { Item = 8 }, Ranges);
        using var named = new ManualResetEventSlim();
        using var naming = new ManualResetEventSlim();
        var set = new PinSet(Key with { Item = 8 }, [new ByteSpan(0, 10)], [0]) { Path = Path.Combine(fixture.Folder, "8.pins") };
        var keeping = Task.Run(() => fixture.Store.Keep(writer!, set, () =>
        {
            naming.Set();
            named.Wait();
        }));
        naming.Wait();
        Assert.Equal(Film[..1_000], await ContentReads.ReadAsync(PinFixture.Over(fixture.Store, new MemoryContent(Film), Key), 0, 1_000));

        // It is dropped meanwhile.
        fixture.Store.Drop(8);
        named.Set();
        Assert.False(await keeping);
        Assert.Equal([Key.Item], fixture.Store.Items);
    }

    [Fact]
    public async Task A_set_that_replaces_another_keeps_its_file()
    {
        using var fixture = new PinFixture();
        for (var i = 0; i < 20; i++)
            Assert.True(PinFixture.Pin(fixture.Store, Key, Film, Ranges));
        Assert.Single(fixture.Files);
        var inner = new MemoryContent(Film);
        Assert.Equal(Film[..1_000], await ContentReads.ReadAsync(PinFixture.Over(fixture.Store, inner, Key), 0, 1_000));
        Assert.Equal(0, inner.ReadersOpened);
    }

    [Fact]
    public async Task A_health_check_does_not_read_pins()
    {
        using var fixture = new PinFixture();
        PinFixture.Pin(fixture.Store, Key, Film, Ranges);
        var inner = new MemoryContent(Film);
        await ContentReads.ReadAsync(PinFixture.Over(fixture.Store, inner, Key), 0, 1_000, ReadIntent.Health);
        Assert.Equal(1_000, inner.BytesLent);
    }
}
