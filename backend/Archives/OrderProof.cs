using System.Collections.Immutable;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Split;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives;

/// <summary>
/// Proves an order of volumes that nothing names, by the files inside. Films with an index show which volume belongs where
/// (<see cref="FilmMarks"/>); the checksums of other files show whether they are right as a whole. For one scan.
/// </summary>
/// <param name="files">All files of the scan.</param>
/// <param name="options">How to read.</param>
internal sealed class OrderProof(IReadOnlyList<ArchiveVolume> files, ArchiveOptions options)
{
    /// <summary>
    /// Volumes tried per place, beyond one. Two sets posted alternating need one more; sets in an unknown order would need all of them.
    /// </summary>
    private const int MoreTries = 4;

    /// <summary>Most volumes tried in the last place to find the index of a film.</summary>
    private const int MostEnds = 16;

    private readonly IContent[] _contents = [.. files.Select(file => file.Content)];

    /// <summary>Bytes that may still be read for checksums. What was read for a wrong order stays used up.</summary>
    private long _unchecked = options.MostChecked;

    /// <param name="layout">The archive as it is if the guess is right.</param>
    /// <param name="guessed">Its volumes whose order is a guess, in that order.</param>
    /// <param name="spare">Other files that might belong in their places.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The archive in its proven order; null if the guess could not be proven or is wrong.</returns>
    /// <exception cref="ContentException">The bytes needed cannot be read.</exception>
    public async ValueTask<ArchiveLayout?> RunAsync(
        ArchiveLayout layout, IReadOnlyList<int> guessed, IReadOnlyCollection<int> spare, CancellationToken cancellationToken)
    {
        // The index is at the end, so it may begin in the last volume whose place is a guess.
        var ends = guessed.Count == 0
            ? []
            : guessed.Concat(spare).Where(volume => LengthOf(volume) == LengthOf(guessed[^1])).OrderBy(volume => volume != guessed[^1])
                .Take(MostEnds).ToArray();
        foreach (var end in ends)
        {
            if (Exchanged(guessed, end) is var contents
                && await FindMarksAsync(layout, contents, guessed, spare.Count == 0, cancellationToken) is { } marks)
                return await ArrangeAsync(layout, guessed, spare, marks, cancellationToken);
        }

        return guessed.Count == 0 || await HasChecksumsAsync(layout, cancellationToken) ? layout : null;
    }

    /// <summary>The contents of all files, with another volume in the last guessed place.</summary>
    private IContent[] Exchanged(IReadOnlyList<int> guessed, int end)
    {
        var contents = (IContent[])_contents.Clone();
        (contents[guessed[^1]], contents[end]) = (contents[end], contents[guessed[^1]]);
        return contents;
    }

    private long LengthOf(int volume) => _contents[volume].Length;

    /// <summary>Finds a mark in each of the volumes; null if some have none.</summary>
    private async ValueTask<(ArchiveEntry Entry, FilmMark Mark)[]?> FindMarksAsync(
        ArchiveLayout layout, IContent[] contents, IReadOnlyList<int> guessed, bool isAlone, CancellationToken cancellationToken)
    {
        var places = guessed.Select((volume, place) => (volume, place)).ToDictionary(one => one.volume, one => one.place);
        var marks = new (ArchiveEntry Entry, FilmMark Mark)?[guessed.Count];
        foreach (var entry in layout.Entries.Where(entry => entry is { IsDirectory: false, Refusal: null, Size: > 0 }))
        {
            var ranges = Ranges(entry).Where(range => places.ContainsKey(range.Volume) && marks[places[range.Volume]] is null).ToList();
            if (ranges.Count == 0 || await FilmMarks.FindAsync(Window(entry, contents), cancellationToken) is not { } film)
                continue;

            // Marks of a transport stream recur with each packet: in a volume of whole packets, and in other films, they are everywhere.
            if (film.Packet > 0 && (!isAlone || ranges.Exists(range => range.Offset != ranges[0].Offset)
                || Period(film.Packet, ranges) < guessed.Count))
                continue;

            // The index may belong to another film: it must match the volume in which this film begins.
            if (Ranges(entry).First() is var head && !places.ContainsKey(head.Volume)
                && !await IsThereAsync(entry, FindMark(film, head), contents, cancellationToken))
                return null;
            foreach (var range in ranges)
            {
                if (FindMark(film, range) is { } mark)
                    marks[places[range.Volume]] = (entry, mark);
            }
        }

        return Array.TrueForAll(marks, mark => mark is not null) ? Array.ConvertAll(marks, mark => mark!.Value) : null;
    }

    /// <summary>Finds a mark in a range of a film. Decrypting its bytes must not require the volume before.</summary>
    private static FilmMark? FindMark(FilmMarks film, (int Volume, long Offset, ByteSpan Bytes) range) =>
        film.In(range.Bytes.Start + (2 * 16), range.Bytes.End);

    private async ValueTask<bool> IsThereAsync(ArchiveEntry entry, FilmMark? mark, IContent[] contents,
        CancellationToken cancellationToken) =>
        mark is not null && mark.IsThere((await Window(entry, contents).ReadAsync(mark.Offset, mark.Length, cancellationToken)).Span);

    /// <summary>Number of volumes after which packets are aligned as in the first one again.</summary>
    private static long Period(int packet, List<(int Volume, long Offset, ByteSpan Bytes)> ranges)
    {
        var step = ranges[0].Bytes.Length % packet;
        var period = 1L;
        for (var at = step; at != 0; at = (at + step) % packet)
            period++;
        return period;
    }

    /// <summary>The bytes of an entry, by volume.</summary>
    private static IEnumerable<(int Volume, long Offset, ByteSpan Bytes)> Ranges(ArchiveEntry entry)
    {
        long start = 0;
        foreach (var span in entry.Spans)
        {
            var bytes = ByteSpan.OfLength(start, span.Length);
            var at = start - span.Start;
            foreach (var piece in span.Pieces)
            {
                if (ByteSpan.OfLength(at, piece.Length).Intersect(bytes) is { IsEmpty: false } part)
                    yield return (piece.Volume, piece.Offset, part);
                at += piece.Length;
            }

            start += span.Length;
        }
    }

    private VolumeWindow Window(ArchiveEntry entry, IContent[] contents) =>
        new(new ArchiveVolume(ArchiveContent.Open(entry, contents, options.Pool), entry.Path), options.Intent);

    /// <summary>Finds for each place the volume that has its mark; null if there is none.</summary>
    private async ValueTask<ArchiveLayout?> ArrangeAsync(
        ArchiveLayout layout, IReadOnlyList<int> guessed, IReadOnlyCollection<int> spare, (ArchiveEntry Entry, FilmMark Mark)[] marks,
        CancellationToken cancellationToken)
    {
        var left = guessed.Concat(spare).Order().ToList();
        var found = new Dictionary<int, int>();
        var tries = guessed.Count * (1 + MoreTries);
        for (var place = 0; place < guessed.Count; place++)
        {
            var (entry, mark) = marks[place];
            var next = -1;

            // However the sets are mixed, a volume is listed soon after the one before it.
            var before = place == 0 ? layout.Volumes[0] : found[guessed[place - 1]];
            foreach (var candidate in left.OrderBy(volume => volume < before))
            {
                if (LengthOf(candidate) != LengthOf(guessed[place]) || tries-- <= 0)
                    continue;
                var contents = (IContent[])_contents.Clone();
                contents[guessed[place]] = _contents[candidate];
                if (!await IsThereAsync(entry, mark, contents, cancellationToken))
                    continue;
                next = candidate;
                break;
            }

            if (next < 0)
                return null;
            left.Remove(next);
            found.Add(guessed[place], next);
        }

        return layout with
        {
            Volumes = [.. layout.Volumes.Select(Found)],
            Entries =
            [
                .. layout.Entries.Select(entry => entry with
                {
                    Spans = [.. entry.Spans.Select(span =>
                        span with { Pieces = [.. span.Pieces.Select(piece => piece with { Volume = Found(piece.Volume) })] })],
                }),
            ],
        };

        int Found(int volume) => found.GetValueOrDefault(volume, volume);
    }

    /// <summary>True if all files have the checksums that the archive gives, which proves each byte.</summary>
    private async ValueTask<bool> HasChecksumsAsync(ArchiveLayout layout, CancellationToken cancellationToken)
    {
        var entries = layout.Entries.Where(entry => entry is { IsDirectory: false, Refusal: null, Size: > 0 }).ToArray();
        var (read, total) = (0L, entries.Sum(entry => entry.Size));
        if (total > _unchecked || Array.Exists(entries, entry => entry.Crc32 is null))
            return false;
        foreach (var entry in entries)
        {
            var content = ArchiveContent.Open(entry, _contents, options.Pool);
            var crc = 0u;
            await using var reader = content.OpenReader(0, content.Length, options.Intent);
            while (true)
            {
                using var lease = await reader.NextAsync(cancellationToken);
                if (lease.IsEmpty)
                    break;
                crc = Crc32.Append(crc, lease.Memory.Span);
                (read, _unchecked) = (read + lease.Memory.Length, _unchecked - lease.Memory.Length);
                options.Checked?.Invoke(read, total);
            }

            if (crc != entry.Crc32)
                return false;
        }

        return entries.Length > 0;
    }
}
