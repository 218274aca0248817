namespace NzbDav.Archives.Layouts;

/// <summary>
/// What the headers of a volume must say for a reckoned layout to be right: the number of the volume, the file that it holds a part of, and where in the volume that part
/// lies. Immutable, thread-safe; can be stored.
/// </summary>
public sealed class ExpectedHeader
{
    /// <summary>Version of the format that <see cref="ToBytes"/> writes.</summary>
    private const byte FormatVersion = 1;

    internal ExpectedHeader(int volume, ArchiveFormat format, int? number, string path, long size, bool encrypted, long length, long dataOffset, long packedSize)
    {
        (Volume, Format, Number, Path, Size, IsEncrypted) = (volume, format, number, path, size, encrypted);
        (Length, DataOffset, PackedSize) = (length, dataOffset, packedSize);
    }

    /// <summary>Index of the volume in the list given to <see cref="ArchiveReader"/>; −1 for one that was stored.</summary>
    public int Volume { get; }

    /// <summary>Bytes at the start of the volume that the check needs: the data begin right after them.</summary>
    public int HeaderLength => (int)Math.Min(int.MaxValue, DataOffset);

    internal ArchiveFormat Format { get; }

    /// <summary>Number of the volume; null when its header has none (RAR4).</summary>
    internal int? Number { get; }

    /// <summary>Path of the file that the volume holds a part of.</summary>
    internal string Path { get; }

    /// <summary>Bytes of the whole file.</summary>
    internal long Size { get; }

    internal bool IsEncrypted { get; }

    /// <summary>Bytes in the volume.</summary>
    internal long Length { get; }

    /// <summary>Offset of the part in the volume.</summary>
    internal long DataOffset { get; }

    /// <summary>Bytes of the part in the volume.</summary>
    internal long PackedSize { get; }

    /// <summary>Reads what <see cref="ToBytes"/> wrote.</summary>
    /// <exception cref="InvalidDataException">Another version wrote these bytes, or they are damaged.</exception>
    public static ExpectedHeader Parse(ReadOnlyMemory<byte> bytes)
    {
        using var stream = new MemoryStream(bytes.ToArray(), writable: false);
        using var reader = new BinaryReader(stream);
        try
        {
            if (reader.ReadByte() is not FormatVersion and var other)
                throw new InvalidDataException($"An expected header has the form {other}; this version of NzbDav knows {FormatVersion}.");
            var format = reader.ReadByte() == 4 ? ArchiveFormat.Rar4 : ArchiveFormat.Rar5;
            var number = reader.Read7BitEncodedInt();
            var encrypted = reader.ReadBoolean();
            return new ExpectedHeader(
                -1, format, number < 0 ? null : number, reader.ReadString(), reader.Read7BitEncodedInt64(), encrypted, reader.Read7BitEncodedInt64(), reader.Read7BitEncodedInt64(), reader.Read7BitEncodedInt64());
        }
        catch (Exception e) when (e is EndOfStreamException or FormatException)
        {
            throw new InvalidDataException("An expected header is damaged.", e);
        }
    }

    /// <summary>All but <see cref="Volume"/>, to be stored.</summary>
    public ReadOnlyMemory<byte> ToBytes()
    {
        using var stream = new MemoryStream();
        using (var writer = new BinaryWriter(stream))
        {
            writer.Write(FormatVersion);
            writer.Write((byte)(Format == ArchiveFormat.Rar4 ? 4 : 5));
            writer.Write7BitEncodedInt(Number ?? -1);
            writer.Write(IsEncrypted);
            writer.Write(Path);
            writer.Write7BitEncodedInt64(Size);
            writer.Write7BitEncodedInt64(Length);
            writer.Write7BitEncodedInt64(DataOffset);
            writer.Write7BitEncodedInt64(PackedSize);
        }

        return stream.ToArray();
    }
}
