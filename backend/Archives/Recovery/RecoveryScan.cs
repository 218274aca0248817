using System.Buffers.Binary;
using NzbDav.Content;

namespace NzbDav.Archives.Recovery;

/// <summary>
/// Finds the recovery slices of a PAR2 file by the headers of its packets. Unreadable ranges are skipped: after a hole, the next packet is
/// searched for by its magic bytes. Verifies nothing.
/// </summary>
public static class RecoveryScan
{
    /// <summary>Most packets read of one file: a set has at most 65,535 recovery slices.</summary>
    private const int MostPackets = 200_000;

    private const int SearchStep = 64 << 10;

    /// <summary>Finds the recovery slices.</summary>
    /// <param name="volume">The PAR2 file.</param>
    /// <param name="set">The set whose slices are wanted; its main packet must be known.</param>
    /// <param name="holes">Ranges of the file that cannot be read, in order.</param>
    /// <param name="intent">Passed to every reader.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The slices without holes, in their order in the file.</returns>
    public static async Task<IReadOnlyList<RecoverySlice>> ReadAsync(
        IContent volume, Par2Set set, IReadOnlyList<ByteSpan> holes, ReadIntent intent, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(volume);
        ArgumentNullException.ThrowIfNull(set);
        ArgumentNullException.ThrowIfNull(holes);
        var found = new List<RecoverySlice>();
        var whole = RecoverySlice.DataOffset + set.SliceSize;
        long offset = 0;
        for (var packets = 0; packets < MostPackets && offset + RecoverySlice.DataOffset <= volume.Length; packets++)
        {
            var head = Touches(holes, offset, RecoverySlice.DataOffset)
                ? null : await TryReadAsync(volume, offset, RecoverySlice.DataOffset, intent, cancellationToken);
            if (head is not null && Par2Packet.Parse(head) is { } packet && packet.Length <= volume.Length - offset)
            {
                if (packet.Type == Par2PacketType.Recovery && packet.Length == whole && Par2Packet.SetIdOf(head).SequenceEqual(set.Id.Span)
                    && BinaryPrimitives.ReadUInt32LittleEndian(head.AsSpan(Par2Packet.HeaderSize)) is < 65_535 and var exponent
                        && !Touches(holes, offset, whole))
                    found.Add(new RecoverySlice((int)exponent, volume, offset));
                offset += packet.Length;
                continue;
            }

            offset = await FindAsync(volume, offset + 1, holes, intent, cancellationToken);
            if (offset < 0)
                break;
        }

        return found;
    }

    private static bool Touches(IReadOnlyList<ByteSpan> holes, long start, long length) =>
        holes.Any(hole => hole.Overlaps(ByteSpan.OfLength(start, length)));

    private static async Task<byte[]?> TryReadAsync(
        IContent volume, long offset, int count, ReadIntent intent, CancellationToken cancellationToken)
    {
        var bytes = new byte[count];
        try
        {
            await using var reader = volume.OpenReader(offset, offset + count, intent);
            for (var filled = 0; filled < count;)
            {
                using var lease = await reader.NextAsync(cancellationToken);
                if (lease.IsEmpty)
                    return null;
                lease.Memory.Span.CopyTo(bytes.AsSpan(filled));
                filled += lease.Length;
            }

            return bytes;
        }
        catch (ContentException e) when (e.Fault != ContentFault.Unavailable)
        {
            return null;
        }
    }

    /// <summary>Offset at which the next packet may begin; −1 if there is none.</summary>
    private static async Task<long> FindAsync(
        IContent volume, long offset, IReadOnlyList<ByteSpan> holes, ReadIntent intent, CancellationToken cancellationToken)
    {
        while (offset + Par2Packet.HeaderSize <= volume.Length)
        {
            if (holes.FirstOrDefault(hole => hole.Contains(offset)) is { End: > 0 } inside)
            {
                offset = inside.End;
                continue;
            }

            // Search up to the next hole.
            var end = holes.Where(hole => hole.Start > offset).Select(static hole => hole.Start).Append(volume.Length).Min();
            var count = (int)Math.Min(SearchStep, end - offset);
            if (await TryReadAsync(volume, offset, count, intent, cancellationToken) is { } bytes
                && bytes.AsSpan().IndexOf(Par2Packet.Magic) is >= 0 and var at)
                return offset + at;

            // A packet may begin in the last bytes of a step.
            offset += offset + count == end ? count : count - Par2Packet.Magic.Length + 1;
        }

        return -1;
    }
}

/// <summary>
/// A recovery slice: its location, and the equation it belongs to (Parity Volume Set Specification 2.0, "Recovery Slice packet").
/// </summary>
/// <param name="Exponent">Its number in the set, below 65,535.</param>
/// <param name="Volume">The file that contains it.</param>
/// <param name="Packet">Offset of its packet in the file.</param>
public sealed record RecoverySlice(int Exponent, IContent Volume, long Packet)
{
    /// <summary>Bytes between the packet's beginning and the slice: header and exponent.</summary>
    internal const int DataOffset = Par2Packet.HeaderSize + 4;
}
