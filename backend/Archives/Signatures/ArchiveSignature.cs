using System.Collections.Frozen;

namespace NzbDav.Archives.Signatures;

/// <summary>Detects the type of a file from its first bytes, never from its name.</summary>
public static class ArchiveSignature
{
    /// <summary>Number of bytes that are enough for all kinds except disc images.</summary>
    public const int ShortLength = 1024;

    /// <summary>Smallest disc image in bytes.</summary>
    internal const int SmallestDisc = FirstDescriptor + SectorSize;

    /// <summary>Number of bytes that are enough for every kind: disc images have their descriptors from sector 16 on.</summary>
    public const int FullLength = FirstDescriptor + (16 * SectorSize);

    private const int SectorSize = 2048;
    private const int FirstDescriptor = 16 * SectorSize;

    private static readonly FrozenDictionary<string, FileKind[]> ByExtension = new Dictionary<string, FileKind[]>(
        StringComparer.OrdinalIgnoreCase)
    {
        ["mkv"] = [FileKind.Matroska],
        ["mka"] = [FileKind.Matroska],
        ["webm"] = [FileKind.Matroska],
        ["mp4"] = [FileKind.Mp4],
        ["m4v"] = [FileKind.Mp4],
        ["m4a"] = [FileKind.Mp4],
        ["m4b"] = [FileKind.Mp4],
        ["mov"] = [FileKind.Mp4],
        ["avi"] = [FileKind.Avi],
        ["ts"] = [FileKind.MpegTs],
        ["m2ts"] = [FileKind.MpegTs],
        ["vob"] = [FileKind.MpegPs],
        ["mpg"] = [FileKind.MpegPs, FileKind.MpegTs],
        ["wmv"] = [FileKind.Asf],
        ["flv"] = [FileKind.Flv],
        ["flac"] = [FileKind.Flac],
        ["ogg"] = [FileKind.Ogg],
        ["jpg"] = [FileKind.Jpeg],
        ["png"] = [FileKind.Png],
        ["pdf"] = [FileKind.Pdf],
        ["epub"] = [FileKind.Zip],
        ["zip"] = [FileKind.Zip],
        ["7z"] = [FileKind.SevenZip],
        ["rar"] = [FileKind.Rar4, FileKind.Rar5],
        ["par2"] = [FileKind.Par2],
    }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    /// <summary>Returns the kind of a file with these first bytes.</summary>
    /// <param name="head">The file's first bytes. With <see cref="FullLength"/> of them, or the whole file, every kind is detected.</param>
    public static FileKind Detect(ReadOnlySpan<byte> head)
    {
        if (head.StartsWith(RarSignature.Rar5))
            return FileKind.Rar5;
        if (head.StartsWith(RarSignature.Rar4))
            return FileKind.Rar4;

        // 7zFormat.txt: kSignature.
        if (head.StartsWith((ReadOnlySpan<byte>)[0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]))
            return FileKind.SevenZip;
        if (head.StartsWith("PAR2\0PKT"u8))
            return FileKind.Par2;
        if (head.StartsWith("PK\x03\x04"u8) || head.StartsWith("PK\x05\x06"u8) || head.StartsWith("PK\x07\x08"u8))
            return FileKind.Zip;
        if (head.StartsWith((ReadOnlySpan<byte>)[0x1F, 0x8B, 0x08]))
            return FileKind.Gzip;
        if (head.StartsWith("BZh"u8) && head.Length > 3 && head[3] is >= (byte)'1' and <= (byte)'9')
            return FileKind.Bzip2;
        if (head.StartsWith((ReadOnlySpan<byte>)[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]))
            return FileKind.Xz;
        if (head.StartsWith("MZ"u8) || head.StartsWith("\x7F"u8 + "ELF"u8))
            return FileKind.Program;
        if (DetectMedia(head) is var media and not FileKind.Unknown)
            return media;
        return DetectDisc(head) is var disc and not FileKind.Unknown ? disc : DetectText(head);
    }

    /// <summary>
    /// True for signatures of only two or three bytes: one in a few thousand parts of a split file starts with them by chance.
    /// </summary>
    internal static bool IsWeak(FileKind kind) =>
        kind is FileKind.Program or FileKind.Gzip or FileKind.Bzip2 or FileKind.Mp3 or FileKind.Jpeg;

    /// <summary>
    /// True for bytes that begin with a known signature of at least four bytes: random bytes do so once in a hundred million times.
    /// </summary>
    internal static bool IsStrong(ReadOnlySpan<byte> head) => Detect(head) is var kind && kind != FileKind.Unknown && !IsWeak(kind);

    /// <summary>True if the extension implies a type with a known signature.</summary>
    internal static bool HasKnownType(string path) => ByExtension.ContainsKey(Extension(path));

    /// <summary>True if the extension implies a disc image. The first bytes cannot confirm that: the descriptors begin at 32 KiB.</summary>
    internal static bool IsDiscName(string path) =>
        Extension(path).ToUpperInvariant() is "ISO" or "IMG" or "UDF" or "BIN" or "NRG" or "MDF";

    /// <summary>True if the extension implies a comic book: an archive that programs read as one file.</summary>
    internal static bool IsBookName(string path) => Extension(path).ToUpperInvariant() is "CBR" or "CB7" or "CBZ";

    /// <summary>
    /// True if a ZIP with this name is to be unpacked: its extension is that of ZIPs, or no extension in use. Books, documents and programs
    /// are ZIPs too, which programs read as one file.
    /// </summary>
    internal static bool IsZipName(string path) =>
        Extension(path) is var extension
        && (extension.ToUpperInvariant() is "ZIP" or "Z01" || extension.Length is 0 or > 5 || !extension.Any(char.IsAsciiLetter));

    /// <summary>True if the extension is that of a film.</summary>
    internal static bool IsFilmName(string path) =>
        ByExtension.TryGetValue(Extension(path), out var kinds)
        && kinds[0] is FileKind.Matroska or FileKind.Mp4 or FileKind.Avi
            or FileKind.MpegTs or FileKind.MpegPs or FileKind.Asf or FileKind.Flv;

    /// <summary>True if the bytes have the type that the extension implies.</summary>
    internal static bool FitsName(ReadOnlySpan<byte> head, string path) =>
        ByExtension.TryGetValue(Extension(path), out var kinds) && Array.IndexOf(kinds, Detect(head)) >= 0;

    /// <summary>True for a program, which may be a self-extracting archive.</summary>
    internal static bool IsProgram(ReadOnlySpan<byte> head) => Detect(head) == FileKind.Program;

    private static FileKind DetectMedia(ReadOnlySpan<byte> head)
    {
        // RFC 8794, 11.2.1: the EBML header's id.
        if (head.StartsWith((ReadOnlySpan<byte>)[0x1A, 0x45, 0xDF, 0xA3]))
            return FileKind.Matroska;

        // ISO/IEC 14496-12, 4.2: a box's length, then its type. Older QuickTime files begin with other boxes.
        if (head.Length >= 8 && IsFirstBox(head[4..8]))
            return FileKind.Mp4;
        if (head.StartsWith("RIFF"u8) && head.Length >= 12)
            return head[8..12].SequenceEqual("AVI "u8)
                ? FileKind.Avi : head[8..12].SequenceEqual("WAVE"u8) ? FileKind.Wave : FileKind.Unknown;

        // ISO/IEC 13818-1, 2.4.3.2: every packet begins with 0x47; Blu-ray puts a time stamp of 4 bytes before each.
        if (IsEvery(head, 0, 188) || IsEvery(head, 4, 192))
            return FileKind.MpegTs;
        if (head.StartsWith((ReadOnlySpan<byte>)[0x00, 0x00, 0x01, 0xBA]))
            return FileKind.MpegPs;
        if (head.StartsWith((ReadOnlySpan<byte>)[0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]))
            return FileKind.Asf;
        if (head.StartsWith("FLV\x01"u8))
            return FileKind.Flv;
        if (head.StartsWith("OggS"u8))
            return FileKind.Ogg;
        if (head.StartsWith("fLaC"u8))
            return FileKind.Flac;
        if (head.StartsWith("ID3"u8))
            return FileKind.Mp3;
        if (head.StartsWith((ReadOnlySpan<byte>)[0xFF, 0xD8, 0xFF]))
            return FileKind.Jpeg;
        if (head.StartsWith((ReadOnlySpan<byte>)[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            return FileKind.Png;
        return head.StartsWith("%PDF-"u8) ? FileKind.Pdf : FileKind.Unknown;
    }

    private static bool IsFirstBox(ReadOnlySpan<byte> type) =>
        type.SequenceEqual("ftyp"u8) || type.SequenceEqual("moov"u8) || type.SequenceEqual("mdat"u8) || type.SequenceEqual("wide"u8);

    private static bool IsEvery(ReadOnlySpan<byte> head, int first, int step)
    {
        const int Packets = 4;
        if (head.Length <= first + ((Packets - 1) * step))
            return false;
        for (var i = 0; i < Packets; i++)
        {
            if (head[first + (i * step)] != 0x47)
                return false;
        }

        return true;
    }

    // ECMA-119, 8.1 and ECMA-167, 2/9: descriptors of one sector each, the first in sector 16; bytes 1 … 5 name the standard.
    private static FileKind DetectDisc(ReadOnlySpan<byte> head)
    {
        for (var at = FirstDescriptor; at + 6 <= head.Length; at += SectorSize)
        {
            var name = head.Slice(at + 1, 5);
            if (name.SequenceEqual("CD001"u8))
                return FileKind.Iso9660;
            if (name.SequenceEqual("NSR02"u8) || name.SequenceEqual("NSR03"u8))
                return FileKind.Udf;
        }

        return FileKind.Unknown;
    }

    private static FileKind DetectText(ReadOnlySpan<byte> head)
    {
        var text = head.StartsWith((ReadOnlySpan<byte>)[0xEF, 0xBB, 0xBF]) ? head[3..] : head;
        text = text.TrimStart(" \t\r\n"u8);
        if (text.StartsWith("<nzb"u8) || (text.StartsWith("<?xml"u8) && text[..Math.Min(text.Length, ShortLength)].IndexOf("<nzb"u8) >= 0))
            return FileKind.Nzb;
        return text.StartsWith("<?xml"u8) ? FileKind.Xml : FileKind.Unknown;
    }

    private static string Extension(string path)
    {
        var name = path[(path.LastIndexOf('/') + 1)..];
        var dot = name.LastIndexOf('.');
        return dot < 0 ? string.Empty : name[(dot + 1)..];
    }
}

/// <summary>The bytes that a RAR archive begins with.</summary>
internal static class RarSignature
{
    /// <summary>Number of bytes that are enough to distinguish both formats.</summary>
    public const int Length = 8;

    /// <summary>RAR 1.5 to 4.x, 7 bytes.</summary>
    public static ReadOnlySpan<byte> Rar4 => [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x00];

    /// <summary>RAR 5.0 and later, 8 bytes.</summary>
    public static ReadOnlySpan<byte> Rar5 => [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x01, 0x00];

    /// <summary>The bytes that both formats share.</summary>
    public static ReadOnlySpan<byte> Common => Rar4[..6];
}
