using System.Buffers.Binary;
using NzbDav.Archives.Layouts;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;

namespace NzbDav.Archives.Tests.Split;

/// <summary>Volumes that nothing orders, in archives that are too large to be read for their checksums, and in others.</summary>
public sealed class OrderProofTests
{
    private const int Volume = 39_500;

    private static readonly byte[] Film = MakeMatroska(61, 32);
    private static readonly byte[] Other = MakeMatroska(62, 32);

    public static TheoryData<string> Archives => ["7z", "7z, encrypted", "RAR4"];

    [Theory]
    [MemberData(nameof(Archives))]
    public async Task The_index_of_a_film_proves_the_order_in_which_volumes_are_listed(string archive)
    {
        var shelf = Listed(Write(archive, "a.mkv", Film));
        var layout = await shelf.LayOutAsync(passwords: "secret");
        Assert.Null(layout.Refusal);
        Assert.Equal(Film, await shelf.ReadAsync(Assert.Single(layout.Entries)));
    }

    [Theory]
    [MemberData(nameof(Archives))]
    public async Task The_index_of_a_film_finds_the_order_of_a_few_volumes(string archive)
    {
        var volumes = Write(archive, "a.mkv", Film);
        var shelf = Listed([volumes[4], volumes[0], volumes[3], .. volumes.Skip(5), volumes[2], volumes[1]]);
        var layout = await shelf.LayOutAsync(passwords: "secret");
        Assert.Null(layout.Refusal);
        Assert.Equal(Film, await shelf.ReadAsync(Assert.Single(layout.Entries)));
    }

    [Theory]
    [InlineData("7z")]
    [InlineData("7z, encrypted")]
    public async Task Volumes_of_two_sets_go_to_the_film_whose_index_they_fit(string archive)
    {
        var (one, other) = (Write(archive, "a.mkv", Film), Write(archive, "b.mkv", Other));
        var shelf = Listed([one[0], other[0], .. one[1..3], .. other[1..5], .. one[3..], .. other[5..]]);
        var layouts = (await shelf.ScanAsync(passwords: "secret")).Layouts;
        Assert.Equal([Film, Other], await Task.WhenAll(layouts.Select(layout => shelf.ReadAsync(Assert.Single(layout.Entries)))));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Parts_of_two_split_films_of_one_name_go_to_the_film_whose_index_they_fit(bool byTurns)
    {
        var (one, other) = (Film.Chunk(Volume).ToArray(), Other.Chunk(Volume).ToArray());
        var names = VolumeNaming.Numeric("film.mkv", one.Length);
        var shelf = new Shelf { Known = 4_000 };
        foreach (var (name, bytes) in byTurns
            ? names.Zip(one).Zip(names.Zip(other))
                .SelectMany((pair, i) => i == 0 ? new[] { pair.First, pair.Second } : [pair.Second, pair.First])
            : names.Zip(one).Concat(names.Zip(other)))
            shelf.Add(name, bytes);
        var layouts = (await shelf.ScanAsync()).Layouts;
        Assert.Equal([Film, Other], await Task.WhenAll(layouts.Select(layout => shelf.ReadAsync(Assert.Single(layout.Entries)))));
    }

    [Theory]
    [MemberData(nameof(Archives))]
    public async Task A_film_without_an_index_proves_nothing(string archive)
    {
        var layout = await Listed(Write(archive, "a.mkv", Sources.Video(63, Film.Length))).LayOutAsync(passwords: "secret");
        Assert.Equal(ArchiveRefusalReason.Unordered, layout.Refusal?.Reason);
        Assert.Empty(layout.Entries);
    }

    [Fact]
    public async Task Checksums_prove_the_order_of_a_film_without_an_index_and_tell_how_far_they_are()
    {
        var film = Sources.Video(63, Film.Length);
        var told = new List<(long Read, long Total)>();
        var shelf = Listed(Write("7z", "a.mp4", film), film.Length, (read, total) => told.Add((read, total)));
        Assert.Equal(film, await shelf.ReadAsync(Assert.Single((await shelf.LayOutAsync()).Entries)));
        Assert.Equal(told.Order(), told);
        Assert.All(told, one => Assert.Equal(film.Length, one.Total));
        Assert.Equal((film.Length, film.Length), told[^1]);
    }

    [Theory]
    [InlineData(4, true)]
    [InlineData(2, false)]
    public async Task An_order_that_the_checksums_refute_uses_up_what_may_be_read(int films, bool bothFound)
    {
        var (one, other) = (Sources.Video(63, Film.Length), Sources.Video(64, Film.Length));
        var byTurns = Write("7z", "a.mp4", one).Zip(Write("7z", "b.mp4", other)).SelectMany(pair => new[] { pair.First, pair.Second });
        var read = new HashSet<long>();
        var shelf = Listed([.. byTurns], (long)films * one.Length, (at, _) => read.Add(at));
        var layouts = (await shelf.ScanAsync()).Layouts;
        Assert.NotEmpty(read);
        Assert.Equal(bothFound, layouts.All(layout => layout.Refusal is null));
        if (bothFound)
            Assert.Equal([one, other], await Task.WhenAll(layouts.Select(layout => shelf.ReadAsync(Assert.Single(layout.Entries)))));
    }

    [Theory]
    [MemberData(nameof(Archives))]
    public async Task A_volume_of_another_film_is_found_out_by_the_index(string archive)
    {
        var (one, other) = (Write(archive, "a.mkv", Film), Write(archive, "a.mkv", Other));
        var layout = await Listed([.. one[..3], other[3], .. one[4..]]).LayOutAsync(passwords: "secret");
        Assert.Equal(ArchiveRefusalReason.Unordered, layout.Refusal?.Reason);
    }

    [Theory]
    [InlineData(20_000, false, true)]
    [InlineData(20_000, true, true)]
    [InlineData(100 * 188, false, false)]
    public async Task The_packets_of_a_transport_stream_prove_the_order_unless_each_volume_has_whole_ones(int size, bool swapped,
        bool proven)
    {
        var film = MakeStream(64, 1000);
        var volumes = new SevenZipWriter { VolumeSize = size }.Write(new PackedFile("a.ts", film)).ToArray();
        if (swapped)
            (volumes[3], volumes[5]) = (volumes[5], volumes[3]);
        var shelf = Listed(volumes);
        var layout = await shelf.LayOutAsync();
        Assert.Equal(proven, layout.Refusal is null);
        if (proven)
            Assert.Equal(film, await shelf.ReadAsync(Assert.Single(layout.Entries)));
    }

    private static byte[][] Write(string archive, string name, byte[] film) => archive switch
    {
        "RAR4" => [.. new Rar4Writer { VolumeSize = Volume, NoEnd = true }.Write(new PackedFile(name, film))],
        "7z" => [.. new SevenZipWriter { VolumeSize = Volume }.Write(new PackedFile(name, film))],
        _ => [.. new SevenZipWriter { VolumeSize = Volume, Password = "secret" }.Write(new PackedFile(name, film))],
    };

    private static Shelf Listed(IReadOnlyList<byte[]> volumes, long mostChecked = 0, Action<long, long>? isChecked = null)
    {
        var shelf = new Shelf { MostChecked = mostChecked, Checked = isChecked };
        foreach (var (name, bytes) in VolumeNaming.Noise(6, volumes.Count).Zip(volumes))
            shelf.Add(name, bytes);
        return shelf;
    }

    /// <summary>Clusters of noise, each with its time, and an index behind them that the beginning points to.</summary>
    private static byte[] MakeMatroska(int seed, int clusters)
    {
        var seekHead = SeekHead(0);
        var (body, cues) = (new List<byte>(), new List<byte>());
        for (var i = 0; i < clusters; i++)
        {
            var (time, at) = ((i * 5_000) + seed, seekHead.Length + body.Count);
            byte[] checksum = i % 2 == 0 ? Element([0xBF], [1, 2, 3, 4]) : [];
            body.AddRange(Element([0x1F, 0x43, 0xB6, 0x75],
                [.. checksum, .. Element([0xE7], Number(time)),
                .. Element([0xA3], SeededBytes.Make(seed + (100 * i), 9_000 + (((i * 7) + seed) % clusters * 300)))]));
            cues.AddRange(Element([0xBB],
                [.. Element([0xB3], Number(time + 40)), .. Element([0xB7], [.. Element([0xF7], [1]), .. Element([0xF1], Number(at))])]));
        }

        byte[] segment = [.. SeekHead(seekHead.Length + body.Count), .. body, .. Element([0x1C, 0x53, 0xBB, 0x6B], [.. cues])];
        return [.. Element([0x1A, 0x45, 0xDF, 0xA3], Element([0x42, 0x82], "matroska"u8.ToArray())),
            .. Element([0x18, 0x53, 0x80, 0x67], segment)];

        static byte[] SeekHead(int at) => Element([0x11, 0x4D, 0x9B, 0x74],
        [
            .. Element([0x4D, 0xBB], [.. Element([0x53, 0xAB], [0x15, 0x49, 0xA9, 0x66]), .. Element([0x53, 0xAC], Number(7))]),
            .. Element([0x4D, 0xBB], [.. Element([0x53, 0xAB], [0x1C, 0x53, 0xBB, 0x6B]), .. Element([0x53, 0xAC], Number(at))]),
        ]);
    }

    private static byte[] Element(byte[] id, byte[] data)
    {
        var size = new byte[8];
        BinaryPrimitives.WriteInt64BigEndian(size, (1L << 56) | (long)data.Length);
        return [.. id, .. size, .. data];
    }

    private static byte[] Number(int value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, value);
        return bytes;
    }

    private static byte[] MakeStream(int seed, int packets)
    {
        var bytes = SeededBytes.Make(seed, packets * 188);
        for (var at = 0; at < bytes.Length; at += 188)
            bytes[at] = 0x47;
        return bytes;
    }
}
