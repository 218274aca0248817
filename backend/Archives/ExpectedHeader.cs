using NzbDav.Archives.Rar;

namespace NzbDav.Archives;

/// <summary>
/// What the headers of a volume must be for a reckoned layout to be true: which volume it is, of which file it holds a part, and where in it that part lies.
/// Immutable, thread-safe; can be stored.
/// </summary>
public sealed class ExpectedHeader
{
    /// <summary>Names the form of <see cref="ToBytes"/>, so that a later one can be told from it.</summary>
    private const byte Form = 1;

    private readonly ArchiveFormat _format;
    private readonly int? _number;
    private readonly string _path;
    private readonly long _size;
    private readonly bool _encrypted;
    private readonly long _length;
    private readonly long _dataOffset;
    private readonly long _packedSize;

    private ExpectedHeader(int volume, ArchiveFormat format, int? number, string path, long size, bool encrypted, long length, long dataOffset, long packedSize)
    {
        (Volume, _format, _number, _path, _size, _encrypted) = (volume, format, number, path, size, encrypted);
        (_length, _dataOffset, _packedSize) = (length, dataOffset, packedSize);
    }

    /// <summary>Index of the volume in the list given to <see cref="ArchiveReader"/>; −1 for one that was stored.</summary>
    public int Volume { get; }

    /// <summary>Bytes at the volume's beginning that <see cref="AgreesAsync"/> needs: the data begin there.</summary>
    public int HeaderLength => (int)Math.Min(int.MaxValue, _dataOffset);

    /// <summary>The expectation that <see cref="ToBytes"/> stored.</summary>
    /// <exception cref="InvalidDataException">Somebody else wrote these bytes.</exception>
    public static ExpectedHeader Parse(ReadOnlyMemory<byte> bytes)
    {
        using var stream = new MemoryStream(bytes.ToArray(), writable: false);
        using var reader = new BinaryReader(stream);
        try
        {
            if (reader.ReadByte() is not Form and var other)
                throw new InvalidDataException($"An expected header has the form {other}; this version of NzbDav knows {Form}.");
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
            writer.Write(Form);
            writer.Write((byte)(_format == ArchiveFormat.Rar4 ? 4 : 5));
            writer.Write7BitEncodedInt(_number ?? -1);
            writer.Write(_encrypted);
            writer.Write(_path);
            writer.Write7BitEncodedInt64(_size);
            writer.Write7BitEncodedInt64(_length);
            writer.Write7BitEncodedInt64(_dataOffset);
            writer.Write7BitEncodedInt64(_packedSize);
        }

        return stream.ToArray();
    }

    /// <summary>Tells whether a volume that begins with these bytes is laid out as was reckoned. Fetches nothing.</summary>
    /// <param name="head">The volume's first bytes, at least <see cref="HeaderLength"/>; fewer never agree.</param>
    public async ValueTask<bool> AgreesAsync(ReadOnlyMemory<byte> head)
    {
        var known = new ArchiveVolume(new UnreadContent(_length), "volume") { Head = head };
        var window = new VolumeWindow(known, Content.ReadIntent.Probe);
        var read = await RarVolumeReader.ReadAsync(window, index: 0, new RarKeyring([]), toTheEnd: false, CancellationToken.None);
        return read is { Refusal: null, IsVolume: true, SplitBefore: true, SplitAfter: true, Files: [var file] }
            && read.Format == _format && (_number is null || read.Number == _number) && file.Method == 0
            && string.Equals(file.Path, _path, StringComparison.Ordinal) && file.Size == _size && file.Encryption is not null == _encrypted
            && file.DataOffset == _dataOffset && file.PackedSize == _packedSize;
    }

    /// <summary>What was reckoned of a volume: one part of one file of known size.</summary>
    internal static ExpectedHeader Of(RarVolume volume)
    {
        var file = volume.Files[0];
        return new ExpectedHeader(volume.Index, volume.Format, volume.Number, file.Path, file.Size!.Value, file.Encryption is not null, volume.Length, file.DataOffset, file.PackedSize);
    }
}
