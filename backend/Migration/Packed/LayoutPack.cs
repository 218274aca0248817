using System.Text.Json;

namespace NzbDav.Migration.Packed;

/// <summary>Parses nzbdav's layout blobs. Members that InfiniDysk appends are skipped.</summary>
internal static class LayoutPack
{
    /// <exception cref="InvalidDataException">It is damaged.</exception>
    public static PackedPlain? Plain(ReadOnlySpan<byte> bytes) =>
        new MemoryPackReader(bytes).Object(static members => new PackedPlain { SegmentIds = members.Has(1) ? members[1].Texts() : null });

    /// <inheritdoc cref="Plain"/>
    public static PackedRar? Rar(ReadOnlySpan<byte> bytes) => new MemoryPackReader(bytes)
        .Object(static members => new PackedRar { RarParts = members.Has(1) ? members[1].Objects(RarPart) : null });

    /// <inheritdoc cref="Plain"/>
    public static PackedMeta? Multipart(ReadOnlySpan<byte> bytes) => new MemoryPackReader(bytes)
        .Object(static members => new PackedMultipart { Metadata = members.Has(1) ? members[1].Object(Meta) : null })?.Metadata;

    private static PackedRarPart RarPart(MemoryPackReader.Members members) => new()
    {
        SegmentIds = members.Has(0) ? members[0].Texts() : null,
        PartSize = members.Has(1) ? members[1].Int64() : 0,
        Offset = members.Has(2) ? members[2].Int64() : 0,
        ByteCount = members.Has(3) ? members[3].Int64() : 0,
    };

    private static PackedMeta Meta(MemoryPackReader.Members members) => new()
    {
        AesParams = members.Has(0) ? members[0].Object(Cipher) : null,
        FileParts = members.Has(1) ? members[1].Objects(Part) : null,
        IsLazy = members.Has(2) && members[2].Flag(),
        ArchivePassword = members.Has(4) ? members[4].Text() : null,
    };

    private static PackedCipher Cipher(MemoryPackReader.Members members) => new()
    {
        DecodedSize = members.Has(0) ? members[0].Int64() : 0,
        Iv = members.Has(1) ? members[1].Bytes() : null,
        Key = members.Has(2) ? members[2].Bytes() : null,
    };

    private static PackedPart Part(MemoryPackReader.Members members) => new()
    {
        SegmentIds = members.Has(0) ? members[0].Texts() : null,
        SegmentIdByteRange = members.Has(1) ? members[1].Object(Range) : null,
        FilePartByteRange = members.Has(2) ? members[2].Object(Range) : null,
    };

    private static PackedRange Range(MemoryPackReader.Members members) => new()
    {
        StartInclusive = members.Has(0) ? members[0].Int64() : 0,
        EndExclusive = members.Has(1) ? members[1].Int64() : 0,
    };
}

/// <summary>A blob of nzbdav for a file that is one posted file (SubType 201). Members that InfiniDysk appends are skipped.</summary>
internal sealed class PackedPlain
{
    public string?[]? SegmentIds { get; set; }
}

/// <summary>A blob of nzbdav for a file in RAR volumes, in nzbdav's older form (SubType 202).</summary>
internal sealed class PackedRar
{
    public PackedRarPart?[]? RarParts { get; set; }
}

/// <summary>A volume, and the bytes of it that belong to the file.</summary>
internal sealed class PackedRarPart
{
    public string?[]? SegmentIds { get; set; }

    public long PartSize { get; set; }

    public long Offset { get; set; }

    public long ByteCount { get; set; }
}

/// <summary>A blob of nzbdav for a file that lies in several posted files (SubType 203).</summary>
internal sealed class PackedMultipart
{
    public PackedMeta? Metadata { get; set; }
}

/// <summary>Location of a file in several posted files.</summary>
internal sealed class PackedMeta
{
    public PackedCipher? AesParams { get; set; }

    public PackedPart?[]? FileParts { get; set; }

    /// <summary>InfiniDysk: the last volumes have not been examined yet.</summary>
    public bool IsLazy { get; set; }

    public string? ArchivePassword { get; set; }

    /// <summary>nzbdav2, in rows only: the key with which the bytes are obfuscated.</summary>
    public JsonElement? ObfuscationKey { get; set; }
}

/// <summary>How a file is encrypted: with the key, but without the password.</summary>
internal sealed class PackedCipher
{
    public long DecodedSize { get; set; }

    public byte[]? Iv { get; set; }

    public byte[]? Key { get; set; }
}

/// <summary>A posted file, and the bytes of it that belong to the file.</summary>
internal sealed class PackedPart
{
    public string?[]? SegmentIds { get; set; }

    public PackedRange? SegmentIdByteRange { get; set; }

    public PackedRange? FilePartByteRange { get; set; }
}

/// <summary>Bytes of a posted file, or of a file made of several.</summary>
internal sealed class PackedRange
{
    public long StartInclusive { get; set; }

    public long EndExclusive { get; set; }
}
