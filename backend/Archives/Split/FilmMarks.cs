using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives.Split;

/// <summary>Bytes that a film must have at an offset, according to its own index or format.</summary>
/// <param name="Offset">Offset in the film.</param>
/// <param name="Length">Number of bytes to read there.</param>
/// <param name="IsThere">Returns whether they are the expected ones.</param>
internal sealed record FilmMark(long Offset, int Length, Func<ReadOnlySpan<byte>, bool> IsThere);

/// <summary>
/// Finds offsets in a film at which its bytes can be recognised, to prove which volume belongs there. An index (Matroska Cues) gives the
/// offset and time of clusters, so a mark fits only one offset of one film. A transport stream has a sync byte in each packet, so a mark
/// only proves the offset modulo the size of a packet.
/// </summary>
internal sealed class FilmMarks
{
    /// <summary>Bytes of the film's beginning that are searched for the table of its parts, which comes first.</summary>
    private const int Head = 64 << 10;

    /// <summary>Longest index, in bytes: a film of ten hours with a cue per cluster has less than 2 MB.</summary>
    private const int MostCues = 16 << 20;

    /// <summary>Largest time of a block relative to its cluster: a signed number of 16 bits (RFC 9559, 10.1).</summary>
    private const ulong MostBehind = 32_767;

    /// <summary>Bytes of a cluster's beginning that contain its time.</summary>
    private const int ClusterHead = 64;

    /// <summary>Most bytes of an element's id and size.</summary>
    private const int ElementHead = 12;

    /// <summary>Most bytes of the index that are compared.</summary>
    private const int MostOfIndex = 4 << 10;

    /// <summary>Number of transport stream packets in a mark.</summary>
    private const int Packets = 5;

    private readonly (long Offset, ulong Time)[] _clusters;

    /// <summary>Offset of the index; its first bytes are in <see cref="_cues"/>.</summary>
    private readonly long _index;
    private readonly byte[] _cues = [];

    private FilmMarks((long Offset, ulong Time)[] clusters, long index, byte[] cues) =>
        (_clusters, _index, _cues) = (clusters, index, cues);

    private FilmMarks(int packet) => (_clusters, Packet) = ([], packet);

    /// <summary>Size of a packet, if only that distinguishes offsets; 0 if each mark fits one offset only.</summary>
    public int Packet { get; }

    /// <summary>Reads the film's index; null if it has none that can be read.</summary>
    /// <param name="film">The film; its bytes may be in the wrong order.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="ContentException">It cannot be fetched.</exception>
    public static async ValueTask<FilmMarks?> FindAsync(VolumeWindow film, CancellationToken cancellationToken)
    {
        var head = await film.ReadAsync(0, Head, cancellationToken);
        switch (ArchiveSignature.Detect(head.Span))
        {
            case FileKind.Matroska:
                return CuesAt(head.Span) is ({ } start, { } at)
                    && await ReadCuesAsync(film, start, at, cancellationToken) is { Length: > 0 } clusters
                    ? new FilmMarks(clusters, at, (await film.ReadAsync(at, MostOfIndex, cancellationToken)).ToArray())
                    : null;
            case FileKind.MpegTs:
                var packet = HasPackets(head.Span, 188) ? 188 : head.Length > 4 && HasPackets(head.Span[4..], 192) ? 192 : 0;
                return packet > 0 ? new FilmMarks(packet) : null;
            default:
                return null;
        }
    }

    /// <summary>A mark whose bytes are all in a range; null if there is none.</summary>
    public FilmMark? In(long start, long end)
    {
        if (Packet > 0)
        {
            // In packets of 192 bytes, a time precedes the sync byte.
            var offset = ((start + Packet - 1) / Packet * Packet) + Packet - 188;
            return offset + (Packets * Packet) <= end ? new FilmMark(offset, Packets * Packet, bytes => HasPackets(bytes, Packet)) : null;
        }

        // The last one: the first clusters of a film are often at the same offsets as those of others.
        var index = Array.BinarySearch(_clusters, (end - ClusterHead + 1, 0UL));
        index = (index < 0 ? ~index : index) - 1;
        if (index < 0 || _clusters[index].Offset < start)
            return _index >= start && _index + ElementHead <= end ? IndexIn(end) : null;
        var (at, time) = _clusters[index];
        return new FilmMark(at, ClusterHead, bytes => IsCluster(bytes, time));
    }

    private static bool HasPackets(ReadOnlySpan<byte> bytes, int size)
    {
        for (var packet = 0; packet < Packets; packet++)
        {
            if (packet * size >= bytes.Length || bytes[packet * size] != 0x47)
                return false;
        }

        return true;
    }

    /// <summary>A mark at the index itself, up to an offset.</summary>
    private FilmMark IndexIn(long end)
    {
        var length = (int)Math.Min(_cues.Length, end - _index);
        return new FilmMark(_index, length, bytes => bytes.SequenceEqual(_cues.AsSpan(0, length)));
    }

    // RFC 9559, 5.1.1: the Segment begins with a SeekHead, which gives the offsets of its other parts, counted from the Segment's first
    // byte.
    private static (long? Start, long? Cues) CuesAt(ReadOnlySpan<byte> head)
    {
        var at = 0L;
        if (Ebml.Read(head, ref at) is not { Id: 0x1A45DFA3, Size: >= 0 } ebml)
            return default;
        at += ebml.Size;
        if (Ebml.Read(head, ref at) is not { Id: 0x18538067 })
            return default;
        var start = at;
        while (Ebml.Read(head, ref at) is { Size: >= 0 } child && child.Id != 0x1F43B675)
        {
            if (child.Id == 0x114D9B74 && at + child.Size <= head.Length && FindCues(head.Slice((int)at, (int)child.Size)) is { } cues)
                return (start, start + cues);
            at += child.Size;
        }

        return default;
    }

    private static long? FindCues(ReadOnlySpan<byte> table)
    {
        for (var at = 0L; Ebml.Read(table, ref at) is { Size: >= 0 } seek && at + seek.Size <= table.Length; at += seek.Size)
        {
            var (id, position) = (0UL, 0UL);
            var entry = table.Slice((int)at, (int)seek.Size);
            for (var inside = 0L; Ebml.Read(entry, ref inside) is { Size: >= 0 } field
                && inside + field.Size <= entry.Length; inside += field.Size)
            {
                var value = Ebml.Number(entry.Slice((int)inside, (int)field.Size));
                (id, position) = field.Id switch { 0x53AB => (value, position), 0x53AC => (id, value), _ => (id, position) };
            }

            if (seek.Id == 0x4DBB && id == 0x1C53BB6B && position <= long.MaxValue / 2)
                return (long)position;
        }

        return null;
    }

    private static async ValueTask<(long Offset, ulong Time)[]> ReadCuesAsync(VolumeWindow film, long start, long at,
        CancellationToken cancellationToken)
    {
        var header = await film.ReadAsync(at, ElementHead, cancellationToken);
        var inside = 0L;
        if (Ebml.Read(header.Span, ref inside) is not { Id: 0x1C53BB6B, Size: > 0 and <= MostCues } cues
            || at + inside + cues.Size > film.Length)
            return [];
        return ParseCues((await film.ReadAsync(at + inside, (int)cues.Size, cancellationToken)).Span, start);
    }

    // CuePoint: CueTime, CueTrackPositions: CueClusterPosition.
    private static (long Offset, ulong Time)[] ParseCues(ReadOnlySpan<byte> cues, long start)
    {
        var found = new SortedDictionary<long, ulong>();
        for (var at = 0L; Ebml.Read(cues, ref at) is { Size: >= 0 } point && at + point.Size <= cues.Length; at += point.Size)
        {
            if (point.Id != 0xBB)
                continue;
            ulong? time = null;
            var fields = cues.Slice((int)at, (int)point.Size);
            for (var inside = 0L; Ebml.Read(fields, ref inside) is { Size: >= 0 } field
                && inside + field.Size <= fields.Length; inside += field.Size)
            {
                var value = fields.Slice((int)inside, (int)field.Size);
                if (field.Id == 0xB3)
                    time = Ebml.Number(value);
                else if (field.Id == 0xB7 && time is { } known && ClusterOf(value) is { } cluster && cluster <= long.MaxValue - start)
                    found.TryAdd(start + cluster, known);
            }
        }

        return [.. found.Select(pair => (pair.Key, pair.Value))];
    }

    private static long? ClusterOf(ReadOnlySpan<byte> positions)
    {
        for (var at = 0L; Ebml.Read(positions, ref at) is { Size: >= 0 } field && at + field.Size <= positions.Length; at += field.Size)
        {
            if (field.Id == 0xF1 && field.Size <= 8)
                return (long)(Ebml.Number(positions.Slice((int)at, (int)field.Size)) & long.MaxValue);
        }

        return null;
    }

    /// <summary>True for the beginning of a cluster that can contain a block with this time.</summary>
    private static bool IsCluster(ReadOnlySpan<byte> bytes, ulong time)
    {
        var at = 0L;
        if (Ebml.Read(bytes, ref at) is not { Id: 0x1F43B675 })
            return false;

        // A checksum may precede the time.
        while (Ebml.Read(bytes, ref at) is { Size: >= 0 } field && at + field.Size <= bytes.Length)
        {
            if (field.Id == 0xE7)
                return Ebml.Number(bytes.Slice((int)at, (int)field.Size)) is var cluster && cluster <= time && time - cluster <= MostBehind;
            at += field.Size;
        }

        return false;
    }
}

/// <summary>Reads EBML elements (RFC 8794, 4 to 6).</summary>
internal static class Ebml
{
    /// <summary>Reads an element's id and size.</summary>
    /// <param name="bytes">Bytes that contain it.</param>
    /// <param name="at">Offset at which it begins; moved to its data.</param>
    /// <returns>The id and the size, −1 if the size is marked as unknown. Null if no element begins there, or its header is
    /// incomplete.</returns>
    public static (uint Id, long Size)? Read(ReadOnlySpan<byte> bytes, ref long at)
    {
        if (at < 0 || at >= bytes.Length || bytes[(int)at] < 0x10)
            return null;
        var index = (int)at;
        var width = System.Numerics.BitOperations.LeadingZeroCount((uint)bytes[index]) - 23;
        if (index + width > bytes.Length)
            return null;
        var id = (uint)Number(bytes.Slice(index, width));
        index += width;
        if (Size(bytes, index) is not { } size)
            return null;
        at = index + size.Bytes;
        return (id, size.Length);
    }

    /// <summary>Reads a size in EBML's encoding; −1 if it is marked as unknown. Null if the field is missing.</summary>
    public static (long Length, int Bytes)? Size(ReadOnlySpan<byte> bytes, int at)
    {
        if (at >= bytes.Length || bytes[at] == 0)
            return null;
        var count = System.Numerics.BitOperations.LeadingZeroCount((uint)bytes[at]) - 23;
        if (at + count > bytes.Length)
            return null;
        long value = bytes[at] & (0xFF >> count);
        var isUnknown = value == 0xFF >> count;
        for (var i = 1; i < count; i++)
        {
            value = (value << 8) | bytes[at + i];
            isUnknown &= bytes[at + i] == 0xFF;
        }

        return (isUnknown ? -1 : value, count);
    }

    /// <summary>Reads an unsigned number of up to eight bytes; if there are more, of the last eight.</summary>
    public static ulong Number(ReadOnlySpan<byte> bytes)
    {
        ulong value = 0;
        foreach (var one in bytes)
            value = (value << 8) | one;
        return value;
    }
}
