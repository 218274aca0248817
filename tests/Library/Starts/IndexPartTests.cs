using System.Buffers.Binary;
using System.Text;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Starts;

namespace NzbDav.Library.Tests.Starts;

/// <summary>Indexes whose parts are all over the file: OpenDML in AVI, titles of chapters in MP4.</summary>
public sealed class IndexPartTests
{
    private const int MiB = 1 << 20;

    /// <summary>Where the parts are, in bytes from the beginning of the file.</summary>
    private static readonly int[] Parts = [9 * MiB, 17 * MiB, 30 * MiB];

    private readonly byte[] _film = SeededBytes.Make(1, 40 * MiB);

    [Theory]
    [InlineData(false, 3)]
    [InlineData(true, 0)]
    public async Task Every_part_of_an_OpenDML_index_is_pinned(bool isPlain, int expected)
    {
        var entries = Parts.SelectMany(part => (byte[])[.. L64((ulong)part), .. L32(200_000), .. L32(1_000)]).ToArray();

        // bIndexType 1 is a plain index: its entries are frames, not parts of the index.
        var index = (byte[])[4, 0, 0, (byte)(isPlain ? 1 : 0), .. L32(3), .. "00dc"u8, .. new byte[12], .. entries];
        var stream = List("strl", [.. Chunk("strh", new byte[56]), .. Chunk("strf", new byte[40]), .. Chunk("indx", index)]);
        var headers = List("hdrl", [.. Chunk("avih", new byte[56]), .. stream]);
        byte[] head = [.. "RIFF"u8, .. L32((uint)_film.Length - 8), .. "AVI "u8, .. headers, .. "LIST"u8,
            .. L32((uint)(_film.Length - 20 - headers.Length)), .. "movi"u8];
        head.CopyTo(_film, 0);
        var ranges = await PlanAsync("a.avi");
        Assert.Equal(expected, Parts.Count(part => ranges.Any(range => range.Start <= part && range.End >= part + 200_008)));
        Assert.Equal(expected + 1, ranges.Count);
    }

    [Theory]
    [InlineData(false, 7u, 3)]
    [InlineData(true, 7u, 3)]
    [InlineData(false, 8u, 0)]
    public async Task The_titles_of_the_chapters_of_an_MP4_are_pinned(bool isLong, uint named, int expected)
    {
        var table = Parts.SelectMany(part => isLong ? B64((ulong)part) : B32((uint)part)).ToArray();
        var titles = Track(7, [], Box("mdia",
            Box("minf", Box("stbl", [.. Box("stsd", new byte[8]), .. Box(isLong ? "co64" : "stco", [0, 0, 0, 0, .. B32(3), .. table])]))));
        var film = Track(1, Box("tref", Box("chap", B32(named))),
            Box("mdia", Box("minf", Box("stbl", Box("stco", [0, 0, 0, 0, .. B32(1), .. B32(20 * MiB)])))));
        byte[] head = [.. Box("ftyp", "isom0000"u8.ToArray()), .. Box("moov", [.. film, .. titles])];
        head.CopyTo(_film, 0);
        Box("mdat", [])[4..].CopyTo(_film, head.Length + 4);
        BinaryPrimitives.WriteInt32BigEndian(_film.AsSpan(head.Length), _film.Length - head.Length);
        var ranges = await PlanAsync("a.mp4");
        Assert.Equal(expected, Parts.Count(part => ranges.Any(range => range.Start <= part && range.End >= part + 1_000)));
        Assert.Equal(expected + 1, ranges.Count);
    }

    private static byte[] Track(uint id, byte[] references, byte[] media) =>
        Box("trak", [.. Box("tkhd", [.. new byte[12], .. B32(id), .. new byte[68]]), .. references, .. media]);

    private static byte[] Box(string type, byte[] data) => [.. B32((uint)data.Length + 8), .. Encoding.ASCII.GetBytes(type), .. data];

    private static byte[] List(string type, byte[] data) => Chunk("LIST", [.. Encoding.ASCII.GetBytes(type), .. data]);

    private static byte[] Chunk(string type, byte[] data) => [.. Encoding.ASCII.GetBytes(type), .. L32((uint)data.Length), .. data];

    private static byte[] B32(uint value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, value);
        return bytes;
    }

    private static byte[] B64(ulong value) => [.. B32((uint)(value >> 32)), .. B32((uint)value)];

    private static byte[] L32(uint value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return bytes;
    }

    private static byte[] L64(ulong value) => [.. L32((uint)value), .. L32((uint)(value >> 32))];

    private ValueTask<IReadOnlyList<ByteSpan>> PlanAsync(string name) =>
        StartPlan.ReadAsync(new MemoryContent(_film), name, ReadIntent.Health, CancellationToken.None);
}
