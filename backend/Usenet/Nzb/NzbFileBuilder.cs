using System.Collections.Immutable;
using System.Runtime.InteropServices;

namespace NzbDav.Usenet.Nzb;

/// <summary>Collects the segments of one file and puts them in order: numbered and sorted, each number and each id once.</summary>
internal sealed class NzbFileBuilder(NzbWarnings warnings)
{
    /// <summary>Number of a segment to which the NZB gives no number.</summary>
    public const int Unnumbered = -1;

    private readonly List<NzbSegment> _segments = [];
    private readonly List<string> _groups = [];
    private ImmutableArray<string> _lastGroups = [];
    private string _subject = string.Empty;
    private string _poster = string.Empty;
    private DateTimeOffset _date;
    private int _withoutId;
    private int _withoutSize;

    /// <summary>Position of the start tag.</summary>
    public (int Line, int Column) Position { get; private set; }

    public void Begin((int Line, int Column) position, string subject, string poster, DateTimeOffset date)
    {
        Position = position;
        _subject = subject;
        _poster = poster == _poster ? _poster : poster;
        _date = date;
        _segments.Clear();
        _groups.Clear();
        _withoutId = _withoutSize = 0;
    }

    public void AddGroup(string group)
    {
        if (group.Length > 0 && !_groups.Contains(group, StringComparer.OrdinalIgnoreCase))
            _groups.Add(group);
    }

    public void AddSegment(int number, int bytes, ReadOnlyMemory<byte> messageId)
    {
        _segments.Add(new NzbSegment(number, bytes, messageId));
        _withoutSize += bytes == 0 ? 1 : 0;
    }

    /// <summary>Counts a segment whose id is missing or invalid.</summary>
    public void SkipSegment() => _withoutId++;

    /// <summary>The finished file; null (and a warning) if none of its segments can be fetched.</summary>
    public NzbFile? Finish()
    {
        if (_withoutId > 0)
            Warn($"{Count(_withoutId, "segment")} without a usable message-id left out");
        if (_segments.Count == 0)
        {
            Warn("the file has no segments and is left out");
            return null;
        }

        if (_withoutSize > 0)
            Warn($"{Count(_withoutSize, "segment")} without a size");
        NumberTheUnnumbered();
        var segments = RemoveRepeatedIds(Sort(out var again), again);
        var file = new NzbFile(_subject, _poster, _date, Groups(), ImmutableCollectionsMarshal.AsImmutableArray(segments));
        WarnOfGaps(file);
        return file;
    }

    private static string Count(int count, string what) => count == 1 ? $"1 {what}" : $"{count} {what}s";

    private void Warn(string what) => warnings.Add(Position, $"{Short(_subject)}: {what}.");

    /// <summary>Short name of a file for a warning.</summary>
    public static string Short(string subject) => subject.Length switch
    {
        0 => "File without subject",
        <= 100 => $"File '{subject}'",
        _ => $"File '{subject.AsSpan(0, 97)}...'",
    };

    /// <summary>Numbers each segment without a number: one more than the segment before it.</summary>
    private void NumberTheUnnumbered()
    {
        var segments = CollectionsMarshal.AsSpan(_segments);
        var unnumbered = 0;
        foreach (ref readonly var segment in segments)
            unnumbered += segment.Number == Unnumbered ? 1 : 0;
        if (unnumbered == 0)
            return;

        Warn($"{Count(unnumbered, "segment")} without a number, counted on from the one before");
        var taken = new HashSet<int>(_segments.Select(segment => segment.Number));
        var last = 0;
        foreach (ref var segment in segments)
        {
            if (segment.Number == Unnumbered)
            {
                while (!taken.Add(++last))
                {
                }

                segment = segment.WithNumber(last);
            }
            else if (segment.Number != int.MaxValue)
            {
                last = segment.Number;
            }
        }
    }

    /// <param name="again">Receives the segments whose number occurs earlier: copies of the same article.</param>
    private NzbSegment[] Sort(out List<NzbSegment> again)
    {
        again = [];
        var sorted = true;
        for (var i = 1; i < _segments.Count && sorted; i++)
            sorted = _segments[i - 1].Number < _segments[i].Number;
        if (sorted)
            return [.. _segments];

        // OrderBy is stable: of several with the same number, the first in the NZB remains the first.
        var ordered = _segments.OrderBy(segment => segment.Number).ToArray();
        var kept = 1;
        for (var i = 1; i < ordered.Length; i++)
        {
            if (ordered[i].Number != ordered[kept - 1].Number)
                ordered[kept++] = ordered[i];
            else
                again.Add(ordered[i]);
        }

        return ordered[..kept];
    }

    private NzbSegment[] RemoveRepeatedIds(NzbSegment[] segments, List<NzbSegment> again)
    {
        if (segments.Length == 1 && again.Count == 0)
            return segments;
        var seen = new HashSet<ReadOnlyMemory<byte>>(segments.Length, NzbIdComparer.Instance);
        var kept = 0;
        foreach (var segment in segments)
        {
            if (seen.Add(segment.MessageIdUtf8))
                segments[kept++] = segment;
        }

        if (kept < segments.Length)
            Warn($"{Count(segments.Length - kept, "segment")} with an id that was there before left out");
        if (again.Count > 0)
            AddCopies(segments.AsSpan(0, kept), again, seen);
        return kept == segments.Length ? segments : segments[..kept];
    }

    private void AddCopies(Span<NzbSegment> segments, List<NzbSegment> again, HashSet<ReadOnlyMemory<byte>> seen)
    {
        var added = 0;
        var at = 0;
        foreach (var copy in again)
        {
            while (at < segments.Length && segments[at].Number < copy.Number)
                at++;
            if (at == segments.Length)
                break;
            if (segments[at].Number != copy.Number || !seen.Add(copy.MessageIdUtf8) || segments[at].Copies == ArticleIds.MostCopies)
                continue;
            segments[at] = segments[at].WithCopy(copy.MessageIdUtf8);
            added++;
        }

        Warn($"{Count(again.Count, "segment")} with a number that was there before, of which {added} can stand in for the first");
    }

    private void WarnOfGaps(NzbFile file)
    {
        var first = file.Segments[0].Number;
        var missing = (long)file.Segments[^1].Number - first + 1 - file.Segments.Length;
        if (missing > 0)
        {
            var gap = 1;
            while (file.Segments[gap].Number == file.Segments[gap - 1].Number + 1)
                gap++;
            Warn($"{missing} of its articles are not in the NZB, the first is number {file.Segments[gap - 1].Number + 1}");
        }
        else if (file.SubjectParts.PartCount > file.Segments.Length)
        {
            Warn($"the subject speaks of {file.SubjectParts.PartCount} articles, the NZB lists {file.Segments.Length}");
        }
    }

    /// <summary>Most files of a post are in the same groups: they use one array.</summary>
    private ImmutableArray<string> Groups()
    {
        if (!_lastGroups.SequenceEqual(_groups))
            _lastGroups = [.. _groups];
        return _lastGroups;
    }
}

/// <summary>
/// Joins <c>file</c> elements that contain one article each and whose subjects name the parts of one file: <c>"name.mkv" yEnc (3/40)</c>.
/// Search engines that do not collect parts write such NZBs.
/// </summary>
internal static class NzbPartFiles
{
    /// <returns>The files in the order of the first part of each; files that are no parts remain unchanged.</returns>
    public static List<NzbFile> Join(List<NzbFile> files)
    {
        var parts = files.Where(IsPart).GroupBy(
            file => (file.FileName!, file.SubjectParts.PartCount, file.SubjectParts.File, file.SubjectParts.FileCount, file.Poster))
            .Select(group => group.ToArray())
            .Where(group => group.Length > 1 && group.DistinctBy(file => file.SubjectParts.Part).Count() == group.Length)
            .ToDictionary(group => group[0]);
        if (parts.Count == 0)
            return files;

        // If a number occurs twice, several files have the same subject, and it is unknown which article belongs to which.
        var others = parts.Values.SelectMany(group => group.Skip(1)).ToHashSet();
        return
        [
            .. files.Where(file => !others.Contains(file))
                .Select(file => parts.TryGetValue(file, out var group)
                    ? NzbFile.OfParts(group.Select(part => (part.SubjectParts.Part!.Value, part))) : file),
        ];
    }

    private static bool IsPart(NzbFile file) =>
        file is { Segments.Length: 1, FileName: not null, SubjectParts: { Part: > 0 and var part, PartCount: > 1 and var count } }
            && part <= count;
}
