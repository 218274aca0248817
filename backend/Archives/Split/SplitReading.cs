using System.Globalization;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives.Split;

/// <summary>
/// Lays out files that were split into parts without headers. The container inside shows whether the parts belong together and are
/// complete. Used for one scan.
/// </summary>
internal sealed class SplitReading(VolumeWindow[] windows, FileKind[] kinds)
{
    /// <summary>Number of consecutive transport stream packets that must begin with the sync byte.</summary>
    private const int Packets = 4;

    /// <param name="parts">The parts, in order.</param>
    /// <param name="copies">Parts that were posted again.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The layout. Null if the first part is the whole file, and the others are something else.</returns>
    public async ValueTask<ArchiveLayout?> ReadAsync(List<int> parts, List<int> copies, CancellationToken cancellationToken)
    {
        if (VolumeSequences.Gap(windows, parts) is > 0 and var gap)
            return Refused([.. parts, .. copies], $"Part {gap} of '{WholeName(parts[0])}' is missing.");
        if (FindForeignPart(parts) is { } stranger)
            return Refused(
                [.. parts, .. copies],
                $"'{windows[stranger].Name}' does not continue '{WholeName(parts[0])}': it is not a transport stream, but the parts " +
                $"before it are.");
        var join = new VolumeJoin(windows, parts);
        var end = await EndAsync(join, parts[0], cancellationToken);
        if (end > join.Length)
            return Refused([.. parts, .. copies], DescribeIncomplete(parts, end.Value, join.Length));

        // If the film ends at the end of a part, the parts after it are something else with the same name.
        for (var (kept, length) = (1, windows[parts[0]].Length); kept < parts.Count; length += windows[parts[kept++]].Length)
        {
            if (length == end)
                return kept == 1 ? null : BuildLayout(parts[..kept], [], isWhole: true);
        }

        return BuildLayout(parts, copies, end is not null);
    }

    /// <summary>Refuses a file that is named like a first part and ends before its container does; null for any other.</summary>
    public async ValueTask<ArchiveLayout?> ReadFirstAsync(int index, CancellationToken cancellationToken)
    {
        if (VolumeName.Parse(windows[index].Name) is not { Scheme: VolumeScheme.Numeric, Number: <= 1 })
            return null;
        var join = new VolumeJoin(windows, [index]);
        return await EndAsync(join, index, cancellationToken) is { } end && end > join.Length
            ? Refused([index], DescribeIncomplete([index], end, join.Length)) : null;
    }

    private static string WholeName(string name) => VolumeSequences.WholeName(name[(name.LastIndexOf('/') + 1)..]);

    private string WholeName(int first) => WholeName(windows[first].Name);

    private string DescribeIncomplete(List<int> parts, long end, long held) => string.Create(
        CultureInfo.InvariantCulture,
        $"'{WholeName(parts[0])}' is not all there: by its own headers it ends at byte {end}, and its " +
        $"{(parts.Count == 1 ? "only part holds" : $"{parts.Count} parts hold")} {held} bytes. Parts are missing at its end.");

    private static ArchiveLayout Refused(IEnumerable<int> volumes, string text) =>
        new()
        {
            Format = ArchiveFormat.Split,
            Volumes = [.. volumes],
            Refusal = new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes, text)
        };

    private ArchiveLayout BuildLayout(List<int> parts, List<int> copies, bool isWhole)
    {
        var join = new VolumeJoin(windows, parts);
        return new ArchiveLayout
        {
            Format = ArchiveFormat.Split,
            Volumes = [.. parts, .. copies],
            IsWhole = isWhole,

            // Without the folder: inside an archive, names are paths, and the caller knows the folder.
            Entries = [new ArchiveEntry
            {
                Path = WholeName(parts[0]),
                Size = join.Length,
                Spans = join.Length == 0 ? [] : [new ArchiveSpan(join.Pieces(0, join.Length), Cipher: null, 0, join.Length)],
            }],
        };
    }

    /// <summary>Offset of the end of the film; null if no readable header gives it.</summary>
    private async ValueTask<long?> EndAsync(VolumeJoin join, int first, CancellationToken cancellationToken)
    {
        try
        {
            return await ContainerEnd.FindAsync(join, kinds[first], cancellationToken);
        }
        catch (ContentException)
        {
            return null;
        }
    }

    /// <summary>
    /// Finds the first part of a transport stream that contains no packets; null if all contain them, as far as their first bytes are
    /// known. The position of a part's first packet proves nothing, because recordings lose bytes.
    /// </summary>
    private int? FindForeignPart(List<int> parts)
    {
        if (kinds[parts[0]] != FileKind.MpegTs)
            return null;
        foreach (var part in parts.Skip(1))
        {
            if (!HasPackets(windows[part].Head.Span, 188) && !HasPackets(windows[part].Head.Span, 192))
                return part;
        }

        return null;
    }

    private static bool HasPackets(ReadOnlySpan<byte> head, int size)
    {
        if (head.Length < (Packets + 1) * size)
            return true;
        for (var first = 0; first < size; first++)
        {
            var found = 0;
            while (found < Packets && head[first + (found * size)] == 0x47)
                found++;
            if (found == Packets)
                return true;
        }

        return false;
    }
}
