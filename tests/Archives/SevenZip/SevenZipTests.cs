using NzbDav.Archives.Layouts;
using NzbDav.Archives.SevenZip;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;

namespace NzbDav.Archives.Tests.SevenZip;

/// <summary>What 7-Zip wrote, and what the builder writes.</summary>
public sealed class SevenZipTests
{
    private static readonly PackedFile[] Files =
    [
        new("Movie", Bytes: null),
        new("Movie/first.mkv", Sources.Video(51, 40_001)),
        new("Movie/Ünïcödé 日本.srt", SeededBytes.Make(52, 900)),
        new("Movie/empty.txt", []),
        new("last.nfo", SeededBytes.Make(53, 33)),
    ];

    [Theory]
    [InlineData("plain7", null, PasswordProof.NotNeeded)]
    [InlineData("split7", null, PasswordProof.NotNeeded)]
    [InlineData("data7", "secret", PasswordProof.Checksum)]
    [InlineData("headers7", "secret", PasswordProof.Headers)]
    public async Task Files_of_the_real_program_are_read(string name, string? password, PasswordProof proof)
    {
        var shelf = Shelf.OfFixtures(name);

        var layout = await shelf.LayOutAsync(passwords: password is null ? [] : ["wrong", password, "wrong too"]);

        Assert.Null(layout.Refusal);
        Assert.Equal((ArchiveFormat.SevenZip, password, proof), (layout.Format, layout.Password, layout.Proof));
        await shelf.AssertEqualAsync(Sources.All, layout.Entries);
        Assert.All(layout.Entries, entry => Assert.NotNull(entry.Modified));
        Assert.All(layout.Entries.Where(entry => entry.Size > 0), entry => Assert.Equal(Sources.Modified, entry.Modified));
        Assert.Contains(layout.Entries, entry => entry is { IsDirectory: true, Path: "Extras" });
    }

    [Theory]
    [InlineData("lzma7", "LZMA")]
    [InlineData("lzmatwo7", "LZMA2")]
    [InlineData("packed7", "LZMA2")]
    [InlineData("ppmd7", "PPMd")]
    [InlineData("bcj7", "BCJ")]
    [InlineData("bcjtwo7", "BCJ2")]
    public async Task Compressed_files_are_refused_with_their_method(string name, string method)
    {
        foreach (var passwords in (string[][])[[], ["secret"]])
        {
            var layout = await Shelf.OfFixtures(name).LayOutAsync(passwords: passwords);

            var entry = Assert.Single(layout.Entries);
            Assert.Equal((ArchiveRefusalReason.Compressed, $"7z compressed, method {method}: not streamable."),
                (entry.Refusal!.Reason, entry.Refusal.Text));
            Assert.Empty(entry.Spans);
        }
    }

    /// <summary>
    /// A header packed into a few kilobytes can hold millions of these, and each would take some hundred bytes of memory.
    /// </summary>
    [Theory]
    [InlineData("files")]
    [InlineData("folders")]
    [InlineData("coders")]
    [InlineData("streams")]
    [InlineData("sizes again")]
    [InlineData("streams again")]
    [InlineData("folders again")]
    [InlineData("everything again")]
    public void A_header_of_millions_is_refused_before_it_takes_memory(string what)
    {
        var header = new ArchiveBytes().U8(1);
        if (what == "files")
            header.U8(5).Number(1_000_000).Add(new byte[2_000_000]);
        else
            header.U8(4);
        if (what == "folders")
            header.U8(7).U8(0x0B).Number(1_000_000).U8(0).Add(new byte[3_000_000]);
        else if (what == "coders")
            Folders(header, folders: 5_000, coders: 64);
        else if (what == "streams")
            Folders(header, folders: 1, coders: 1).U8(8).U8(0x0D).Number(1_000_000).U8(9).Add(new byte[1_000_000]);
        else if (what == "sizes again")
        {
            header.U8(6).Number(0).Number(100_000);
            Repeat(header, static header => header.U8(9).Add(new byte[100_000]));
        }
        else if (what == "streams again")
            Folders(header, folders: 1_000, coders: 1).Add([.. Enumerable.Repeat<byte[]>([8, 0], 10_000).SelectMany(static one => one)]);
        else if (what == "folders again")
            Repeat(header, static header => Folders(header, folders: 1_000, coders: 1));
        else if (what == "everything again")
            Repeat(header, static header => Folders(header, folders: 1_000, coders: 1).U8(0).U8(4));
        var bytes = header.ToArray();
        var before = GC.GetAllocatedBytesForCurrentThread();
        var refusal = Assert.Throws<ArchiveException>(() => SevenZipHeader.Parse(bytes)).Refusal;
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, what == "coders" ? 64 << 20 : 4 << 20);
        Assert.Matches("are refused|one twice", refusal.Text);

        static void Repeat(ArchiveBytes header, Action<ArchiveBytes> add)
        {
            for (var i = 0; i < 200; i++)
                add(header);
        }

        // "PackInfo" and "UnpackInfo" of folders without bytes.
        static ArchiveBytes Folders(ArchiveBytes header, int folders, int coders)
        {
            header.U8(6).Number(0).Number((ulong)folders).U8(9).Add(new byte[folders]).U8(0).U8(7).U8(0x0B).Number((ulong)folders).U8(0);
            for (var i = 0; i < folders; i++)
            {
                header.Number((ulong)coders);
                for (var coder = 0; coder < coders; coder++)
                    header.U8(1).U8(0);
                for (var pair = 1; pair < coders; pair++)
                    header.Number((ulong)pair).Number((ulong)pair - 1);
            }

            return header.U8(0x0C).Add(new byte[folders * coders]).U8(0);
        }
    }

    [Theory]
    [InlineData("headers7")]
    [InlineData("data7")]
    public async Task Without_the_password_an_encrypted_archive_is_refused(string name)
    {
        foreach (var (passwords, words) in ((string[], string)[])[([], "there is no password"), (["no"], "the password is wrong"),
            (["a", "b"], "none of the 2 passwords is right")])
        {
            var layout = await Shelf.OfFixtures(name).LayOutAsync(passwords: passwords);

            var refusals = layout.Refusal is not null
                ? [layout.Refusal] : layout.Entries.Where(entry => entry.Size > 0).Select(entry => entry.Refusal!).ToArray();
            Assert.NotEmpty(refusals);
            Assert.All(refusals, refusal => Assert.Equal(ArchiveRefusalReason.Encrypted, refusal.Reason));
            Assert.All(refusals, refusal => Assert.Contains(words, refusal.Text, StringComparison.Ordinal));
        }
    }

    public static TheoryData<int?, string?, bool, bool> Shapes()
    {
        var shapes = new TheoryData<int?, string?, bool, bool>();
        foreach (var size in (int?[])[null, 5000, 41_000])
        {
            foreach (var together in (bool[])[false, true])
            {
                shapes.Add(size, null, false, together);
                shapes.Add(size, "pässword", false, together);
                shapes.Add(size, "pässword", true, together);
            }
        }

        return shapes;
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Built_archives_are_accepted_by_real_programs_and_read(int? volumeSize, string? password, bool header, bool together)
    {
        var volumes =
            new SevenZipWriter { VolumeSize = volumeSize, Password = password, EncryptHeader = header, Together = together }.Write(Files);
        var sources = Files.Where(file => file.Bytes is not null)
            .ToDictionary(file => file.Path, file => file.Bytes!, StringComparer.Ordinal);
        var named = volumes.Count == 1 ? [("set.7z", volumes[0])] : VolumeNaming.Numeric("set.7z", volumes.Count).Zip(volumes).ToArray();

        await RealPrograms.SevenZipAsync(named, password, sources);
        if (volumeSize is null && password is null)
            await RealPrograms.BsdtarAsync(named, sources);

        foreach (var noise in (bool[])[false, true])
        {
            var shelf = new Shelf();
            for (var i = 0; i < volumes.Count; i++)
                shelf.Add(noise ? $"noise{i:x}q" : named[i].Item1, volumes[i], place: noise ? i + 1 : null);
            var layout = await shelf.LayOutAsync(passwords: password is null ? [] : ["no", password]);
            Assert.Null(layout.Refusal);
            await shelf.AssertEqualAsync(sources, layout.Entries);
            Assert.Equal(
                Files.Select(file => (file.Path, file.Modified)), layout.Entries.Select(entry => (entry.Path, entry.Modified!.Value)));
            Assert.All(layout.Entries.Where(entry => !entry.IsDirectory), entry => Assert.NotNull(entry.Crc32));
        }
    }

    [Fact]
    public async Task A_volume_that_happens_to_begin_like_a_program_is_still_a_volume()
    {
        var video = Sources.Video(54, 10_000);
        "MZ"u8.CopyTo(video.AsSpan(5000 - 32));
        var volumes = new SevenZipWriter { VolumeSize = 5000 }.Write(new PackedFile("a.mkv", video));
        var shelf = new Shelf();
        foreach (var (name, bytes) in VolumeNaming.Numeric("set.7z", volumes.Count).Zip(volumes))
            shelf.Add(name, bytes);

        var layout = await shelf.LayOutAsync();

        Assert.Equal(video, await shelf.ReadAsync(Assert.Single(layout.Entries)));
    }

    /// <summary>Their names mean nothing, and they are listed out of order.</summary>
    [Theory]
    [InlineData("numbers behind stems that differ")]
    [InlineData("the poster's count")]
    [InlineData("dates")]
    public async Task Volumes_are_ordered_by_the_available_evidence(string evidence)
    {
        var video = Sources.Video(55, 40_000);
        var volumes = new SevenZipWriter { VolumeSize = 5000 }.Write(new PackedFile("a.mkv", video));
        var noise = VolumeNaming.Noise(5, volumes.Count);
        var shelf = new Shelf();
        int[] listed = [.. Enumerable.Range(0, volumes.Count).OrderBy(i => noise[i], StringComparer.Ordinal)];
        Assert.NotEqual(Enumerable.Range(0, volumes.Count), listed);
        foreach (var i in listed)
        {
            var name = evidence.StartsWith("numbers", StringComparison.Ordinal) ? $"{noise[i]}.7z.{i + 1:000}" : noise[i];
            shelf.Add(name, volumes[i], place: evidence == "the poster's count" ? i + 3 : null,
                posted: evidence == "dates" ? Sources.Modified.AddSeconds(i * 5) : null);
        }

        var layout = await shelf.LayOutAsync();

        Assert.Equal(video, await shelf.ReadAsync(Assert.Single(layout.Entries)));
    }

    [Fact]
    public async Task Volumes_without_evidence_of_their_order_are_refused()
    {
        var volumes = new SevenZipWriter { VolumeSize = 5000 }.Write(new PackedFile("a.mkv", Sources.Video(55, 40_000)));
        var shelf = new Shelf { MostChecked = 0 };
        for (var i = 0; i < volumes.Count; i++)
            shelf.Add($"noise{i:x}q", volumes[i], posted: Sources.Modified);

        var refusal = (await shelf.LayOutAsync()).Refusal!;

        Assert.Equal(ArchiveRefusalReason.Unordered, refusal.Reason);
        Assert.Contains(
            $"the order of the {volumes.Count} volumes of which 'noise0q' is the first is unknown", refusal.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task A_missing_volume_is_reported(int missing)
    {
        var shelf = Shelf.OfFixtures("split7").Rearranged(files => files.Where((_, i) => i != missing));

        var refusal = Assert.Single((await shelf.ScanAsync()).Layouts).Refusal!;

        // Without its first volume, only its name shows that it is a 7z archive.
        Assert.Equal(ArchiveRefusalReason.MissingVolumes, refusal.Reason);
        Assert.Equal(missing == 0, refusal.Text == "Part 1 of 'split7.7z' is missing.");
    }

    [Theory]
    [InlineData("lzma7")]
    [InlineData("lzmatwo7")]
    public void Packed_streams_are_unpacked(string name)
    {
        var (packed, unpack) = Packed(name);

        Assert.Equal(Sources.Text, unpack(packed, Sources.Text.Length)!.Value.ToArray());

        // Cut short at any byte it is damaged or incomplete, never right. LZMA2 must not wait for chunks that never come.
        for (var length = 0; length < packed.Length - 8; length += 7)
            Assert.False(unpack(packed.AsMemory(0, length), Sources.Text.Length)?.Span.SequenceEqual(Sources.Text) ?? false);
    }

    [Theory]
    [InlineData("lzma7")]
    [InlineData("lzmatwo7")]
    public void A_damaged_stream_ends_and_takes_no_more_memory_than_its_input_can_fill(string name)
    {
        var (packed, unpack) = Packed(name);
        var random = new Random(7);
        for (var i = 0; i < 300; i++)
        {
            var bytes = (byte[])packed.Clone();
            bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            Assert.InRange(Allocated(() => unpack(bytes, Sources.Text.Length)), 0, 4 * (Sources.Text.Length + (1 << 20)));
        }

        // The size is a claim of the archive: it takes memory only as the stream fills it.
        Assert.InRange(Allocated(() => Assert.Null(unpack(packed.AsMemory(0, 1000), 1 << 30))), 0, 48 << 20);
        Assert.Null(unpack(packed, Sources.Text.Length + 1));
    }

    [Fact]
    public void The_dictionary_that_an_archive_claims_takes_no_memory()
    {
        var (packed, unpack) = Packed("lzma7", dictionary: uint.MaxValue);
        ReadOnlyMemory<byte>? unpacked = null;
        var allocated = Allocated(() => unpacked = unpack(packed, Sources.Text.Length));

        Assert.InRange(allocated, 0, 4 * (Sources.Text.Length + (1 << 20)));
        Assert.Equal(Sources.Text, unpacked!.Value.ToArray());
    }

    private static long Allocated(Action action)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        action();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    /// <summary>The only stream of a fixture, which holds <see cref="Sources.Text"/>, and what unpacks it.</summary>
    private static (byte[] Packed, Func<ReadOnlyMemory<byte>, int, ReadOnlyMemory<byte>?> Unpack) Packed(
        string name, uint? dictionary = null)
    {
        var bytes = Shelf.OfFixtures(name).Contents[0].Bytes;
        var nextOffset = (int)BitConverter.ToUInt64(bytes, 12);
        var nextSize = (int)BitConverter.ToUInt64(bytes, 20);
        var folder = SevenZipHeader.Parse(bytes.AsSpan(32 + nextOffset, nextSize)).Folders[0];
        var properties = folder.Chain![0].Properties.ToArray();
        if (dictionary is { } claimed)
            BitConverter.TryWriteBytes(properties.AsSpan(1), claimed);
        return (bytes.AsSpan((int)folder.PackedStart, (int)folder.PackedSize).ToArray(), Unpack);

        ReadOnlyMemory<byte>? Unpack(ReadOnlyMemory<byte> input, int size) => folder.Chain[0].Method == SevenZipCoder.Lzma
            ? LzmaStreams.Decode(properties, input, size)
            : LzmaStreams.DecodeSecond(input, size);
    }
}
