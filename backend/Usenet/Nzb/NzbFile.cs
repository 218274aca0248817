using System.Collections.Immutable;
using System.Text;
using NzbDav.Content;

namespace NzbDav.Usenet.Nzb;

/// <summary>One posted file as the NZB lists it, cleaned up. Immutable.</summary>
public sealed class NzbFile
{
    internal NzbFile(string subject, string poster, DateTimeOffset date, ImmutableArray<string> groups, ImmutableArray<NzbSegment> segments)
    {
        Subject = subject;
        Poster = poster;
        Date = date;
        Groups = groups;
        Segments = segments;
        SubjectParts = NzbSubject.Parse(subject);
        foreach (var segment in segments)
            Bytes += segment.Bytes;
    }

    /// <summary>The subject line; empty if the NZB has none.</summary>
    public string Subject { get; }

    /// <summary>Information guessed from the subject.</summary>
    public NzbSubject SubjectParts { get; }

    /// <summary>The file name that the subject seems to contain; null if there is none. May be obfuscated, wrong, or not unique.</summary>
    public string? FileName => SubjectParts.FileName;

    /// <summary>Who posted it; empty if the NZB does not state it.</summary>
    public string Poster { get; }

    /// <summary>When it was posted (UTC); <see cref="DateTimeOffset.UnixEpoch"/> if the NZB does not state it.</summary>
    public DateTimeOffset Date { get; }

    /// <summary><see cref="Date"/> in days since 1970-01-01 (UTC); 0 if the NZB does not state it.</summary>
    public int PostedDay => Math.Max(0, (int)(Date - DateTimeOffset.UnixEpoch).TotalDays);

    /// <summary>The newsgroups it was posted to; may be empty.</summary>
    public ImmutableArray<string> Groups { get; }

    /// <summary>At least one, sorted by number. Each number and each id occurs once. A gap in the numbers is a missing article.</summary>
    public ImmutableArray<NzbSegment> Segments { get; }

    /// <summary>Sum of the segments' <see cref="NzbSegment.Bytes"/>: the encoded size, a few per cent above the decoded size.</summary>
    public long Bytes { get; }

    /// <summary>The key to fetch an article about which only the NZB is known.</summary>
    /// <param name="segment">Index into <see cref="Segments"/>.</param>
    public SegmentKey KeyOf(int segment) =>
        SegmentKey.Unknown(Segments[segment].ArticleIds) with { PostedDay = PostedDay, SentSize = Math.Max(0, Segments[segment].Bytes) };

    /// <summary>
    /// Joins several files of one part each into one file, with subject, poster and groups of the first part and the earliest date.
    /// </summary>
    /// <param name="parts">Files of one segment, each with the number of its part. No number occurs twice.</param>
    public static NzbFile OfParts(IEnumerable<(int Number, NzbFile File)> parts)
    {
        var ordered = parts.OrderBy(part => part.Number).ToArray();
        var first = ordered[0].File;
        return new NzbFile(first.Subject, first.Poster, ordered.Min(part => part.File.Date), first.Groups,
            [.. ordered.Select(part => part.File.Segments[0].WithNumber(part.Number))]);
    }

    /// <summary>
    /// The same file with a segment for each number from 1 to <paramref name="count"/>. Those that the NZB does not list stand for articles
    /// that cannot be requested from any provider (<see cref="ArticleIds.Unlisted"/>) and have no size.
    /// </summary>
    /// <param name="count">Number of articles of the file, at least as many as are listed.</param>
    /// <param name="shift">Added to the numbers of the NZB. The results must lie between 1 and <paramref name="count"/>.</param>
    public NzbFile WithUnlisted(int count, int shift)
    {
        var segments = new NzbSegment[count];
        foreach (var segment in Segments)
            segments[segment.Number + shift - 1] = segment.WithNumber(segment.Number + shift);
        for (var i = 0; i < count; i++)
        {
            if (segments[i].Number == 0)
                segments[i] = NzbSegment.Unlisted(i + 1, FirstListed);
        }

        return new NzbFile(Subject, Poster, Date, Groups, [.. segments]);
    }

    /// <summary>
    /// The same file with a run of unlisted articles inserted. All articles are renumbered by their positions, whatever their numbers in
    /// the NZB.
    /// </summary>
    /// <param name="index">Index of the first inserted article.</param>
    /// <param name="count">Number of inserted articles.</param>
    public NzbFile WithGap(int index, int count)
    {
        var segments = new List<NzbSegment>(Segments);
        segments.InsertRange(index, Enumerable.Range(index + 1, count).Select(number => NzbSegment.Unlisted(number, FirstListed)));
        return new NzbFile(Subject, Poster, Date, Groups, [.. segments.Select(static (segment, i) => segment.WithNumber(i + 1))]);
    }

    private string FirstListed => Segments.First(static segment => segment.Copies > 0).MessageId;

    /// <summary>
    /// The same file with the articles of another one added as copies, number by number. An article that only one of them lists is
    /// included. The date is the later one.
    /// </summary>
    /// <param name="other">The same file posted again, with the same numbers.</param>
    public NzbFile WithCopies(NzbFile other)
    {
        ArgumentNullException.ThrowIfNull(other);
        var segments = Segments.Concat(other.Segments).GroupBy(static segment => segment.Number).OrderBy(static same => same.Key)
            .Select(static same => same.Aggregate(static (one, copy) => one.WithCopies(copy)));
        return new NzbFile(Subject, Poster, Date > other.Date ? Date : other.Date, Groups, [.. segments]);
    }

    /// <summary>The same file with only the first copy of each article.</summary>
    public NzbFile WithoutCopies() => new(Subject, Poster, Date, Groups, [.. Segments.Select(segment => segment.WithoutCopies())]);
}

/// <summary>
/// One article of a file. Its id lies in a block shared with other segments, so a segment takes 24 bytes whatever the id's length.
/// </summary>
public readonly struct NzbSegment
{
    private readonly ReadOnlyMemory<byte> _ids;

    internal NzbSegment(int number, int bytes, ReadOnlyMemory<byte> ids)
    {
        _ids = ids;
        Number = number;
        Bytes = bytes;
    }

    /// <summary>Number by which segments are sorted; usually counted from 1. Assigned by the reader if the NZB has none.</summary>
    public int Number { get; }

    /// <summary>Size of the encoded article in bytes as stated in the NZB: only a hint. 0 if it states none.</summary>
    public int Bytes { get; }

    /// <summary>
    /// The message-id without angle brackets: 1 to 500 bytes of valid UTF-8 without white space, control characters or brackets, so that it
    /// can be put into an NNTP command unchanged. Empty for an article that the NZB does not list.
    /// </summary>
    public ReadOnlyMemory<byte> MessageIdUtf8 => Nzb.ArticleIds.First(_ids);

    /// <summary><see cref="MessageIdUtf8"/> as a string; allocates at each call.</summary>
    public string MessageId => Encoding.UTF8.GetString(MessageIdUtf8.Span);

    /// <summary>
    /// The message-ids of all copies that the NZB lists for this number, <see cref="MessageIdUtf8"/> first: see
    /// <see cref="Nzb.ArticleIds"/>.
    /// </summary>
    public ReadOnlyMemory<byte> ArticleIdsUtf8 => _ids;

    /// <summary><see cref="ArticleIdsUtf8"/> as a string; allocates at each call.</summary>
    public string ArticleIds => Encoding.UTF8.GetString(_ids.Span);

    /// <summary>Number of copies; 0 for an article that the NZB does not list (<see cref="NzbFile.WithUnlisted"/>).</summary>
    public int Copies => Nzb.ArticleIds.Count(_ids);

    /// <inheritdoc/>
    public override string ToString() => $"{Number}: {MessageId} ({Bytes})";

    internal static NzbSegment Unlisted(int number, string file) =>
        new(number, 0, Encoding.UTF8.GetBytes(Nzb.ArticleIds.Unlisted(number, file)));

    internal NzbSegment WithNumber(int number) => new(number, Bytes, _ids);

    internal NzbSegment WithCopy(ReadOnlyMemory<byte> messageId) => new(Number, Bytes, Nzb.ArticleIds.Append(_ids, messageId));

    internal NzbSegment WithCopies(NzbSegment other) =>
        new(Number, Bytes, Encoding.UTF8.GetBytes(Nzb.ArticleIds.Join(ArticleIds, other.ArticleIds)));

    internal NzbSegment WithoutCopies() => new(Number, Bytes, MessageIdUtf8);
}
