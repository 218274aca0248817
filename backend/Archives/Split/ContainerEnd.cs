using System.Buffers.Binary;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Split;

/// <summary>
/// Finds the end of a film from its container's headers. That distinguishes a complete split file from one without its last parts, and from
/// parts that belong to something else. Reads only the container's headers.
/// </summary>
internal static class ContainerEnd
{
    /// <summary>Most boxes or chunks read on the first level. A file has a handful; a fragmented one has thousands, and its length is
    /// recorded nowhere.</summary>
    private const int MostSteps = 32;

    /// <summary>Bytes of an EBML header: 30 to 60 are usual, more with a void element.</summary>
    private const int MostEbmlHeader = 4096;

    /// <param name="join">The parts, in order.</param>
    /// <param name="kind">The kind of the first part.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>Offset after the film's last byte; beyond <see cref="VolumeJoin.Length"/> if its end is missing. Null if the container is
    /// unknown or does not state its length.</returns>
    /// <exception cref="Content.ContentException">Headers after the first article cannot be read.</exception>
    public static async ValueTask<long?> FindAsync(VolumeJoin join, FileKind kind, CancellationToken cancellationToken) => kind switch
    {
        FileKind.Matroska => Segment((await join.ReadAsync(0, MostEbmlHeader, cancellationToken)).Span),
        FileKind.Mp4 => await BoxesAsync(join, cancellationToken),
        FileKind.Avi or FileKind.Wave => await RiffAsync(join, cancellationToken),
        _ => null,
    };

    // RFC 8794, 4 and 5: an id and a size, then the data. RFC 9559, 5.1: the Segment follows the EBML header.
    private static long? Segment(ReadOnlySpan<byte> head)
    {
        if (Ebml.Size(head, 4) is not { } header || header.Length is < 0 or > MostEbmlHeader)
            return null;
        var at = 4 + header.Bytes + (int)header.Length;
        if (at + 4 > head.Length || BinaryPrimitives.ReadUInt32BigEndian(head[at..]) != 0x18538067)
            return null;

        // A size of only ones means unknown: in live streams, and in files that were never finalised.
        return Ebml.Size(head, at + 4) is { Length: > 0 } segment && segment.Length < long.MaxValue - at - 16
            ? at + 4 + segment.Bytes + segment.Length : null;
    }

    // ISO/IEC 14496-12, 4.2: a box has its size and its type. Size 1: 64 bits after the type; size 0: up to the end of the file.
    private static async ValueTask<long?> BoxesAsync(VolumeJoin join, CancellationToken cancellationToken)
    {
        long at = 0;
        var hasIndex = false;
        for (var step = 0; step < MostSteps && at + 8 <= join.Length; step++)
        {
            var head = await join.ReadAsync(at, 16, cancellationToken);
            if (!IsBoxType(head.Span[4..8]))
                return hasIndex ? at : null;
            hasIndex |= head.Span[4..8].SequenceEqual("moov"u8);
            long size = BinaryPrimitives.ReadUInt32BigEndian(head.Span);
            if (size == 1)
                size = head.Length == 16 ? BinaryPrimitives.ReadInt64BigEndian(head.Span[8..]) : 0;
            if (size < 8 || size > long.MaxValue - at)
                return null;
            at += size;
            if (at >= join.Length)
                return at;
        }

        return null;
    }

    /// <summary>True for box types on the first level of a film.</summary>
    private static bool IsBoxType(ReadOnlySpan<byte> type) =>
        type.SequenceEqual("ftyp"u8) || type.SequenceEqual("moov"u8) || type.SequenceEqual("mdat"u8) || type.SequenceEqual("free"u8)
            || type.SequenceEqual("skip"u8) || type.SequenceEqual("wide"u8)
        || type.SequenceEqual("uuid"u8) || type.SequenceEqual("meta"u8) || type.SequenceEqual("udta"u8) || type.SequenceEqual("pnot"u8)
            || type.SequenceEqual("PICT"u8) || type.SequenceEqual("moof"u8)
        || type.SequenceEqual("mfra"u8) || type.SequenceEqual("sidx"u8) || type.SequenceEqual("styp"u8) || type.SequenceEqual("pdin"u8);

    // RIFF: id, size, data, padded to an even length. OpenDML puts further RIFF chunks after the first.
    private static async ValueTask<long?> RiffAsync(VolumeJoin join, CancellationToken cancellationToken)
    {
        long at = 0;
        for (var step = 0; step < MostSteps && at + 8 <= join.Length; step++)
        {
            var head = await join.ReadAsync(at, 8, cancellationToken);
            if (!head.Span.StartsWith("RIFF"u8))
                return at;
            var size = BinaryPrimitives.ReadUInt32LittleEndian(head.Span[4..]);

            // Programs that end before they write the size leave one of these values.
            if (size is 0 or uint.MaxValue or 0x7FFFFFFF)
                return null;
            at += 8L + size;
            if (at >= join.Length)
                return at;
            at += size & 1;
        }

        return null;
    }
}
