using System.Buffers.Binary;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Progress;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>Split films with missing parts, or followed by other files under the same name.</summary>
internal static class TornShapes
{
    private const int Part = 28_000;

    private static readonly byte[] Matroska = MakeMatroska(150_001, size: 150_001 - 48);
    private static readonly byte[] Mp4 = MakeMp4(150_001, lastSize: 50_001);
    private static readonly byte[] Avi = MakeAvi(150_000);
    private static readonly byte[] Stream = MakeStream(188 * 500);

    public static IReadOnlyDictionary<string, Func<PostShape>> Served { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["split MKV, its Segment ends with the last part"] = () => Split("Film.mkv", Matroska),
        ["split MKV, a Segment of unknown size"] = () => Split("Film.mkv", MakeMatroska(150_001, size: null)),
        ["split MKV, something behind the Segment"] = () => Split("Film.mkv", MakeMatroska(150_001, size: 140_000)),
        ["split MP4, its boxes end with the last part"] = () => Split("Film.mp4", Mp4),
        ["split MP4, the last box goes to the end"] = () => Split("Film.mp4", MakeMp4(150_001, lastSize: 0)),
        ["split AVI, its chunk ends with the last part"] = () => Split("Film.avi", Avi),
        ["split TS"] = () => Split("Film.ts", Stream),
        ["split MKV in parts of one size, all of those that are counted"] = () => Split("Film.mkv", ServedShapes.Film[..(5 * Part)]),
        ["split MKV in parts of one size, whole by its Segment, a file is not listed"] = () =>
            Split("Film.mkv", MakeMatroska(5 * Part, (5 * Part) - 48)) with
            {
                Posted = [.. Split("Film.mkv", MakeMatroska(5 * Part, (5 * Part) - 48)).Posted, ("Film.nfo", ServedShapes.Note)],
                Nzb = new NzbOptions { Include = segment => segment.File.Number <= 5 },
            },
        ["a film and a text that are called parts of one file"] = () => new PostShape
        {
            Posted = [("Film.1", Matroska), ("Film.2", SeededBytes.Make(41, 900))],
            Expected = ServedShapes.Map(("Film.1.mkv", Matroska), ("Film.2", SeededBytes.Make(41, 900))),
        },
        ["a film in two parts and a text that is called the third"] = () => new PostShape
        {
            Posted = [("Film.mkv.1", Matroska[..100_000]), ("Film.mkv.2", Matroska[100_000..]), ("Film.mkv.3", SeededBytes.Make(42, 900))],
            Expected = ServedShapes.Map(("Film.mkv", Matroska), ("Film.mkv.3", SeededBytes.Make(42, 900))),
        },
    };

    public static IReadOnlyDictionary<string, Func<PostShape>> Refused { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["split MKV, the last part is missing"] = () => Torn("Film.mkv", Matroska, 5,
            "'Film.mkv' is not all there: by its own headers it ends at byte 150001, and its 5 parts hold 140000 bytes."),
        ["split MKV, only the first part is there"] = () => Torn("Film.mkv", Matroska, 1, "and its only part holds 28000 bytes."),
        ["split MP4, the last part is missing"] = () =>
            Torn("Film.mp4", Mp4, 5, "'Film.mp4' is not all there: by its own headers it ends at byte 150001"),
        ["split AVI, the last two parts are missing"] = () =>
            Torn("Film.avi", Avi, 4, "'Film.avi' is not all there: by its own headers it ends at byte 150000"),
        ["split TS, the third part is something else"] = () => Torn("Film.ts", Stream, 4, "'Film.ts.003' does not continue 'Film.ts'") with
        {
            Posted = [.. Split("Film.ts", Stream).Posted.Select((part, i) => i == 2 ? (part.Name, SeededBytes.Make(43, Part)) : part)],
        },
        ["split in parts of one size, the subjects count one more"] = () =>
            Split("Film.mkv", ServedShapes.Film[..(6 * 25_000)], 25_000) with
            {
                Nzb = new NzbOptions { Include = segment => segment.File.Number <= 5 },
                Code = ImportFailure.MissingVolumes,
                Says = "of the 6 files that the subjects count number 6 is not in the .nzb",
            },
    };

    private static PostShape Split(string name, byte[] bytes, int part = Part) =>
        new() { Posted = [.. Parts(name, bytes, part)], Expected = ServedShapes.Map((name, bytes)) };

    private static PostShape Torn(string name, byte[] bytes, int parts, string says) =>
        new() { Posted = [.. Parts(name, bytes, Part).Take(parts)], Code = ImportFailure.MissingVolumes, Says = says };

    private static IEnumerable<(string Name, byte[] Bytes)> Parts(string name, byte[] bytes, int part) =>
        VolumeNaming.Numeric(name, (bytes.Length + part - 1) / part).Zip(bytes.Chunk(part));

    /// <summary>An EBML header of 36 bytes, and a Segment whose size has eight bytes; null: unknown.</summary>
    private static byte[] MakeMatroska(int length, long? size)
    {
        var bytes = SeededBytes.Make(44, length);
        ((ReadOnlySpan<byte>)[0x1A, 0x45, 0xDF, 0xA3, 0x9F]).CopyTo(bytes);
        ((ReadOnlySpan<byte>)[0x18, 0x53, 0x80, 0x67]).CopyTo(bytes.AsSpan(36));
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(40), (1L << 56) | (size ?? 0x00FFFFFFFFFFFFFF));
        return bytes;
    }

    /// <summary>The types of files, an index, data of 64 bits' size, and data of a size that may be 0.</summary>
    private static byte[] MakeMp4(int length, int lastSize)
    {
        var bytes = SeededBytes.Make(45, length);
        Box(0, 32, "ftyp"u8);
        Box(32, 68, "moov"u8);
        Box(100, 1, "mdat"u8);
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(108), 99_900);
        Box(100_000, lastSize, "free"u8);
        return bytes;

        void Box(int at, int size, ReadOnlySpan<byte> type)
        {
            BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(at), size);
            type.CopyTo(bytes.AsSpan(at + 4));
        }
    }

    private static byte[] MakeAvi(int length)
    {
        var bytes = SeededBytes.Make(46, length);
        "RIFF"u8.CopyTo(bytes);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), length - 8);
        "AVI "u8.CopyTo(bytes.AsSpan(8));
        return bytes;
    }

    private static byte[] MakeStream(int length)
    {
        var bytes = SeededBytes.Make(47, length);
        for (var at = 0; at < length; at += 188)
            bytes[at] = 0x47;
        return bytes;
    }
}
