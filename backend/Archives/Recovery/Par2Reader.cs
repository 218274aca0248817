using System.Buffers.Binary;
using System.Security.Cryptography;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives.Recovery;

/// <summary>
/// Reads a PAR2 file's description of the files that it protects, without the recovery slices (Parity Volume Set Specification 2.0,
/// http://parchive.sourceforge.net/docs/specifications/parity-volume-spec/article-spec.html). Packets with a wrong MD5 are skipped, as the
/// specification demands; so are bytes between packets.
/// </summary>
public static class Par2Reader
{
    /// <summary>Largest packet read, in bytes: checksums of the most slices possible (32,768) take 640 KiB.</summary>
    private const int LargestPacket = 4 << 20;

    /// <summary>Most packets read, including slices: no file of a real set has more.</summary>
    private const int MostPackets = 200_000;

    /// <summary>Most bytes per file searched for the next packet after damaged ones.</summary>
    private const long MostSearched = 16 << 20;

    private const int SearchStep = 64 << 10;

    /// <summary>Reads one file.</summary>
    /// <param name="file">The PAR2 file. The known part of its beginning is not fetched again.</param>
    /// <param name="intent">Passed to every reader.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>Null if it has no packet of a set, or only damaged ones.</returns>
    /// <exception cref="ContentException">Its bytes cannot be read.</exception>
    public static async Task<Par2Set?> ReadAsync(ArchiveVolume file, ReadIntent intent, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(file);
        var window = new VolumeWindow(file, intent);
        var builder = new Par2SetBuilder();
        var searched = 0L;
        long offset = 0;
        try
        {
            for (var packets = 0; packets < MostPackets && offset + Par2Packet.HeaderSize <= window.Length; packets++)
            {
                var packet = Par2Packet.Parse((await window.ReadAsync(offset, Par2Packet.HeaderSize, cancellationToken)).Span);
                if (packet is not { } known || known.Length > window.Length - offset)
                {
                    if (builder.IsComplete)
                        break;
                    var next = await FindAsync(window, offset + 1, MostSearched - searched, cancellationToken);
                    if (next < 0)
                        break;
                    searched += next - offset;
                    offset = next;
                    continue;
                }

                // Unicode names and similar packets may follow the required ones. After slices, or in repeated packets, there is nothing
                // new.
                if (builder.IsComplete && known.Type is (Par2PacketType.Recovery or Par2PacketType.Main))
                    break;
                if (known.Type is (Par2PacketType.Main or Par2PacketType.FileDescription or Par2PacketType.SliceChecksums
                    or Par2PacketType.UnicodeName or Par2PacketType.PackedMain) && known.Length <= LargestPacket)
                    AddPacket((await window.ReadAsync(offset, (int)known.Length, cancellationToken)).Span, known.Type, builder);
                offset += known.Length;
            }
        }
        catch (ArchiveException)
        {
            // The file has more headers than any real one. Use what has been read so far.
        }

        return builder.Build();
    }

    private static void AddPacket(ReadOnlySpan<byte> packet, Par2PacketType type, Par2SetBuilder builder)
    {
        Span<byte> hash = stackalloc byte[16];
#pragma warning disable CA5351 // The format's own checksum: it protects against damage, not against attackers.
        MD5.HashData(packet[Par2Packet.HashedFrom..], hash);
#pragma warning restore CA5351
        if (!hash.SequenceEqual(Par2Packet.HashOf(packet)))
            return;
        var body = packet[Par2Packet.HeaderSize..];
        if (!builder.Accepts(Par2Packet.SetIdOf(packet)))
            return;
        switch (type)
        {
            // Slice size (8), number of files that can be repaired (4), their ids and then those of the others (16 each).
            case Par2PacketType.Main when body.Length >= 12 && (body.Length - 12) % 16 == 0:
                builder.Main(BinaryPrimitives.ReadInt64LittleEndian(body), BinaryPrimitives.ReadUInt32LittleEndian(body[8..]), body[12..]);
                break;

            case Par2PacketType.PackedMain:
                builder.IsPacked = true;
                break;

            // Id (16), MD5 (16), MD5 of the first 16 KiB (16), length (8), name padded with zeros.
            case Par2PacketType.FileDescription when body.Length > 56:
                builder.Describe(
                    body[..16], body.Slice(16, 16), body.Slice(32, 16), BinaryPrimitives.ReadInt64LittleEndian(body[48..]), body[56..]);
                break;

            // Id (16), then MD5 (16) and CRC-32 (4) of each slice.
            case Par2PacketType.SliceChecksums when body.Length > 16 && (body.Length - 16) % 20 == 0:
                builder.Checksums(body[..16], body[16..]);
                break;

            // Id (16), name in UTF-16, padded with zeros.
            case Par2PacketType.UnicodeName when body.Length > 16:
                builder.Name(body[..16], body[16..]);
                break;
        }
    }

    /// <summary>Offset at which the next packet may begin; −1 if there is none within reach.</summary>
    private static async ValueTask<long> FindAsync(VolumeWindow window, long offset, long most, CancellationToken cancellationToken)
    {
        var end = Math.Min(window.Length, offset + most);
        while (offset < end)
        {
            var bytes = await window.ReadAsync(offset, (int)Math.Min(SearchStep, end - offset), cancellationToken);
            var at = bytes.Span.IndexOf(Par2Packet.Magic);
            if (at >= 0)
                return offset + at;
            if (bytes.Length < Par2Packet.Magic.Length)
                return -1;
            offset += bytes.Length - Par2Packet.Magic.Length + 1;
        }

        return -1;
    }
}
