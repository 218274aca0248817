using System.IO.Compression;
using FsCheck;
using FsCheck.Fluent;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;

namespace NzbDav.Archives.Tests;

/// <summary>
/// Hostile input: no crash, no hang, no more memory than the input justifies; and what is still served never reaches beyond the files.
/// </summary>
[Collection(nameof(Alone))]
public sealed class FuzzTests
{
    /// <summary>Mutations of each fixture. A seed that fails is named in the message.</summary>
    private const int Rounds = 100;

    /// <summary>Where each may cost key derivations.</summary>
    private const int LockedRounds = 20;

    /// <summary>For input of some 10 KB: what the parsers themselves need, key derivations and windows included.</summary>
    private const long MostAllocated = 64 << 20;

    public static TheoryData<string> Fixtures() =>
    [
        "plain5", "plain4", "headers5", "headers4", "data5", "data4", "blake5", "links5", "service5", "service4", "packed5", "packed4",
        "plain7", "split7", "data7", "headers7", "lzmatwo7", "disc-r", "disc-j", "disc-udf", "built-udf",
    ];

    [Theory]
    [MemberData(nameof(Fixtures))]
    public async Task Mutated_archives_do_no_harm(string name)
    {
        var files = Load(name);
        for (var seed = 0; seed < (name.StartsWith("headers", StringComparison.Ordinal) || name.StartsWith("data", StringComparison.Ordinal)
            ? LockedRounds : Rounds); seed++)
        {
            var random = new Random(seed);
            var mutated = files.Select(file => (file.Name, Bytes: Mutate(file.Bytes, random))).ToArray();
            try
            {
                await ScanAsync(mutated);
            }
            catch (Exception wrong)
            {
                throw new InvalidOperationException($"{name}, seed {seed}", wrong);
            }
        }
    }

    /// <summary>The same with the checksums of headers made right again, so that the mutation reaches the parser.</summary>
    [Theory]
    [InlineData(ArchiveFormat.Rar5)]
    [InlineData(ArchiveFormat.Rar4)]
    [InlineData(ArchiveFormat.SevenZip)]
    public async Task Mutated_headers_with_right_checksums_do_no_harm(ArchiveFormat format)
    {
        PackedFile[] files = [new("Sub", null), new("Sub/a.mkv", Sources.Video(81, 900)), new("ü.srt", SeededBytes.Make(82, 90))];
        byte[] whole = format switch
        {
            ArchiveFormat.Rar5 => new Rar5Writer().Write(files)[0],
            ArchiveFormat.Rar4 => new Rar4Writer().Write(files)[0],
            _ => new SevenZipWriter { Together = true }.Write(files)[0],
        };
        for (var seed = 0; seed < 20 * Rounds; seed++)
        {
            var bytes = (byte[])whole.Clone();
            var random = new Random(seed);
            Checksums.Break(bytes, format, random);
            try
            {
                await ScanAsync([("a.bin", bytes)]);
            }
            catch (Exception wrong)
            {
                throw new InvalidOperationException($"{format}, seed {seed}", wrong);
            }
        }
    }

    [Fact]
    public void Random_bytes_after_a_signature_do_no_harm()
    {
        var files = from signature in Gen.Elements("526172211A070100", "526172211A0700", "377ABCAF271C0004", "1A45DFA3", "4D5A")
                    from rest in ArbMap.Default.GeneratorFor<byte[]>()
                    select (byte[])[.. Convert.FromHexString(signature), .. rest];
        Func<byte[], Task> scan = bytes => ScanAsync([("x.rar", bytes)]);
        Prop.ForAll(files.ToArbitrary(), scan).QuickCheckThrowOnFailure();
    }

    [Theory]
    [InlineData("plain5")]
    [InlineData("plain4")]
    [InlineData("plain7")]
    public async Task Archives_truncated_at_any_byte_do_no_harm(string name)
    {
        var files = Load(name);
        var last = files[^1];
        for (var length = 0; length < last.Bytes.Length; length += 3)
            await ScanAsync([.. files.SkipLast(1), (last.Name, last.Bytes[..length])]);
    }

    private static async Task ScanAsync((string Name, byte[] Bytes)[] files)
    {
        var contents = files.Select(file => new MemoryContent(file.Bytes, 700)).ToArray();
        var volumes = files.Select((file, i) => new ArchiveVolume(contents[i], file.Name)).ToArray();
        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        var before = GC.GetTotalAllocatedBytes();
        var scan = await ArchiveReader.ReadAsync(volumes, new ArchiveOptions
        {
            Passwords = ["secret"],
            MaxVolumesAtOnce = 1,
            RegularSets = VolumeSeries.Find([.. files.Select(file => file.Name)])
        }, timeout.Token);
        Assert.InRange(GC.GetTotalAllocatedBytes() - before, 0, MostAllocated);
        Check(scan.Layouts, contents);
    }

    private static void Check(IEnumerable<ArchiveLayout> layouts, MemoryContent[] contents)
    {
        foreach (var layout in layouts)
        {
            Assert.True(layout.Refusal is null || layout.Entries.IsEmpty);
            Assert.All(layout.Entries, entry => Check(entry, contents));
            Check(layout.Nested, contents);
        }
    }

    private static void Check(ArchiveEntry entry, MemoryContent[] contents)
    {
        if (entry.Refusal is not null)
        {
            Assert.Empty(entry.Spans);
            return;
        }

        Assert.Equal(entry.Size, entry.Spans.Sum(span => span.Length));
        foreach (var span in entry.Spans)
        {
            Assert.All(span.Pieces, piece =>
                Assert.True(piece.Length > 0 && piece.Offset >= 0 && piece.Offset + piece.Length <= contents[piece.Volume].Length));
            var packed = span.Pieces.Sum(piece => piece.Length);
            Assert.True(
                span.Cipher is null ? span.Start == 0 && packed == span.Length : packed % 16 == 0 && span.Start + span.Length <= packed);
        }

        Assert.Equal(entry.Size, ArchiveContent.Open(entry, contents, new BufferPool(new BufferBudget(8 << 20))).Length);
    }

    private static byte[] Mutate(byte[] bytes, Random random)
    {
        bytes = (byte[])bytes.Clone();
        if (bytes.Length == 0)
            return bytes;

        // Most of what is parsed is at the beginning or the end.
        for (var i = random.Next(0, 6); i > 0; i--)
        {
            var near = random.Next(Math.Min(bytes.Length, 300));
            var at = random.Next(3) switch { 0 => near, 1 => bytes.Length - 1 - near, _ => random.Next(bytes.Length) };
            bytes[at] = random.Next(3) switch
            {
                0 => (byte)random.Next(256),
                1 => (byte)(bytes[at] ^ (1 << random.Next(8))),
                _ => random.Next(2) == 0 ? (byte)0 : (byte)0xFF
            };
        }

        return random.Next(8) == 0 ? bytes[..random.Next(bytes.Length)] : bytes;
    }

    private static (string Name, byte[] Bytes)[] Load(string name)
    {
        if (name == "built-udf")
            return [("disc.iso", new UdfWriter { Fragmented = true }.Write(
                new PackedFile("a/b.m2ts", Sources.Video(83, 5000)), new PackedFile("c.txt", [1, 2, 3])))];
        var shelf = Shelf.OfFixtures(name);
        if (!name.StartsWith("disc", StringComparison.Ordinal))
            return [.. shelf.Names.Zip(shelf.Contents, (file, content) => (file, content.Bytes))];
        using var unpacked = new GZipStream(new MemoryStream(shelf.Contents[0].Bytes), CompressionMode.Decompress);
        using var image = new MemoryStream();
        unpacked.CopyTo(image);
        return [("disc.iso", image.ToArray())];
    }
}
