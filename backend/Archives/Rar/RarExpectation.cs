using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives.Rar;

/// <summary>Compares the headers of a RAR volume with those that were reckoned. Stateless, thread-safe.</summary>
public static class RarExpectation
{
    /// <summary>Returns true when a volume that begins with these bytes is laid out as reckoned. Fetches nothing.</summary>
    /// <param name="expected">What was reckoned.</param>
    /// <param name="head">The first bytes of the volume, at least <see cref="ExpectedHeader.HeaderLength"/>; fewer never agree.</param>
    public static async ValueTask<bool> AgreesAsync(this ExpectedHeader expected, ReadOnlyMemory<byte> head)
    {
        ArgumentNullException.ThrowIfNull(expected);
        var known = new ArchiveVolume(new UnreadContent(expected.Length), "volume") { Head = head };
        var window = new VolumeWindow(known, ReadIntent.Probe);
        var read = await RarVolumeReader.ReadAsync(window, index: 0, new RarKeyring([]), toTheEnd: false, CancellationToken.None);
        return read is { Refusal: null, IsVolume: true, SplitBefore: true, SplitAfter: true, Files: [var file] }
            && read.Format == expected.Format && (expected.Number is null || read.Number == expected.Number) && file.Method == 0
            && string.Equals(file.Path, expected.Path, StringComparison.Ordinal) && file.Size == expected.Size && file.Encryption is not null == expected.IsEncrypted
            && file.DataOffset == expected.DataOffset && file.PackedSize == expected.PackedSize;
    }

    /// <summary>The header that a reckoned volume must have: one part of one file of known size.</summary>
    internal static ExpectedHeader Of(RarVolume volume)
    {
        var file = volume.Files[0];
        return new ExpectedHeader(volume.Index, volume.Format, volume.Number, file.Path, file.Size!.Value, file.Encryption is not null, volume.Length, file.DataOffset, file.PackedSize);
    }
}
