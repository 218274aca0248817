namespace NzbDav.Migration.Packed;

/// <summary>Parses nzbdav's layout blobs. Members that InfiniDysk appends are skipped.</summary>
internal static class LayoutPack
{
    /// <exception cref="InvalidDataException">It is damaged.</exception>
    public static PackedPlain? Plain(ReadOnlySpan<byte> bytes) => new MemoryPackReader(bytes).Object(static members => new PackedPlain { SegmentIds = members.Has(1) ? members[1].Texts() : null });

    /// <inheritdoc cref="Plain"/>
    public static PackedRar? Rar(ReadOnlySpan<byte> bytes) => new MemoryPackReader(bytes).Object(static members => new PackedRar { RarParts = members.Has(1) ? members[1].Objects(RarPart) : null });

    /// <inheritdoc cref="Plain"/>
    public static PackedMeta? Multipart(ReadOnlySpan<byte> bytes) => new MemoryPackReader(bytes).Object(static members => new PackedMultipart { Metadata = members.Has(1) ? members[1].Object(Meta) : null })?.Metadata;

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
