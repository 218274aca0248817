using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives.Rar;

/// <summary>
/// The header that a RAR volume must have if its inferred layout is right: the number of the volume, the file that it has a part of, and
/// the location of that part in the volume. Immutable, thread-safe; stored with the file's layout.
/// </summary>
public sealed class ExpectedHeader
{
    /// <summary>Version of the format that <see cref="ToBytes"/> writes.</summary>
    private const byte FormatVersion = 1;

    private readonly ArchiveFormat _format;

    /// <summary>Number of the volume; null if its header has none (RAR4).</summary>
    private readonly int? _number;

    /// <summary>Path of the file that the volume has a part of.</summary>
    private readonly string _path;

    /// <summary>Bytes of the whole file.</summary>
    private readonly long _size;
    private readonly bool _isEncrypted;

    /// <summary>Bytes of the volume.</summary>
    private readonly long _length;

    /// <summary>Offset of the part in the volume.</summary>
    private readonly long _dataOffset;

    /// <summary>Bytes of the part in the volume.</summary>
    private readonly long _packedSize;

    private ExpectedHeader(
        ArchiveFormat format, int? number, string path, long size, bool encrypted, long length, long dataOffset, long packedSize)
    {
        (_format, _number, _path, _size, _isEncrypted) = (format, number, path, size, encrypted);
        (_length, _dataOffset, _packedSize) = (length, dataOffset, packedSize);
    }

    /// <summary>Bytes at the start of the volume that the check needs: the data begins right after them.</summary>
    public int HeaderLength => (int)Math.Min(int.MaxValue, _dataOffset);

    /// <summary>The header that an inferred volume must have: one part of one file of known size.</summary>
    internal static ExpectedHeader Of(RarVolume volume)
    {
        var file = volume.Files[0];
        return new ExpectedHeader(volume.Format, volume.Number, file.Path, file.Size!.Value, file.Encryption is not null, volume.Length,
            file.DataOffset, file.PackedSize);
    }

    /// <summary>Reads what <see cref="ToBytes"/> wrote.</summary>
    /// <exception cref="InvalidDataException">Another version wrote these bytes, or they are damaged.</exception>
    public static ExpectedHeader Parse(ReadOnlyMemory<byte> bytes)
    {
        using var stream = new MemoryStream(bytes.ToArray(), writable: false);
        using var reader = new BinaryReader(stream);
        try
        {
            if (reader.ReadByte() is not FormatVersion and var other)
                throw new InvalidDataException(
                    $"An expected header has format version {other}; this version of NzbDav supports {FormatVersion}.");
            var format = reader.ReadByte() == 4 ? ArchiveFormat.Rar4 : ArchiveFormat.Rar5;
            var number = reader.Read7BitEncodedInt();
            var encrypted = reader.ReadBoolean();
            return new ExpectedHeader(
                format, number < 0 ? null : number, reader.ReadString(), reader.Read7BitEncodedInt64(), encrypted,
                reader.Read7BitEncodedInt64(), reader.Read7BitEncodedInt64(), reader.Read7BitEncodedInt64());
        }
        catch (Exception e) when (e is EndOfStreamException or FormatException)
        {
            throw new InvalidDataException("An expected header is damaged.", e);
        }
    }

    /// <summary>Serialises it for storage.</summary>
    public ReadOnlyMemory<byte> ToBytes()
    {
        using var stream = new MemoryStream();
        using (var writer = new BinaryWriter(stream))
        {
            writer.Write(FormatVersion);
            writer.Write((byte)(_format == ArchiveFormat.Rar4 ? 4 : 5));
            writer.Write7BitEncodedInt(_number ?? -1);
            writer.Write(_isEncrypted);
            writer.Write(_path);
            writer.Write7BitEncodedInt64(_size);
            writer.Write7BitEncodedInt64(_length);
            writer.Write7BitEncodedInt64(_dataOffset);
            writer.Write7BitEncodedInt64(_packedSize);
        }

        return stream.ToArray();
    }

    /// <summary>True if a volume that begins with these bytes is laid out as expected. Fetches nothing.</summary>
    /// <param name="head">The first bytes of the volume, at least <see cref="HeaderLength"/>; with fewer the result is false.</param>
    public async ValueTask<bool> AgreesAsync(ReadOnlyMemory<byte> head)
    {
        var known = new ArchiveVolume(new UnreadContent(_length), "volume") { Head = head };
        var window = new VolumeWindow(known, ReadIntent.Probe);
        var read = await RarVolumeReader.ReadAsync(window, index: 0, new RarKeyring([]), toTheEnd: false, CancellationToken.None);
        return read is { Refusal: null, IsVolume: true, SplitBefore: true, SplitAfter: true, Files: [var file] }
            && read.Format == _format && (_number is null || read.Number == _number) && file.Method == 0
            && string.Equals(file.Path, _path, StringComparison.Ordinal) && file.Size == _size
                && file.Encryption is not null == _isEncrypted
            && file.DataOffset == _dataOffset && file.PackedSize == _packedSize;
    }
}

/// <summary>Content that must not be fetched: every read throws.</summary>
internal sealed class UnreadContent(long length) : IContent
{
    public long Length => length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent) =>
        throw new ArchiveException(ArchiveRefusalReason.Unreadable, "The header is longer than the known part of the volume.");
}
