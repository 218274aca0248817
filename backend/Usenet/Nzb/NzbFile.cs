using System.Collections.Immutable;

namespace NzbDav.Usenet.Nzb;

/// <summary>One posted file: what the NZB says of it, tidied. Immutable.</summary>
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

    /// <summary>What the subject seems to say.</summary>
    public NzbSubject SubjectParts { get; }

    /// <summary>The file name that the subject seems to hold; null if it holds none. May be obfuscated, wrong, or not unique.</summary>
    public string? FileName => SubjectParts.FileName;

    /// <summary>Who posted it; empty if the NZB does not say.</summary>
    public string Poster { get; }

    /// <summary>When it was posted (UTC); <see cref="DateTimeOffset.UnixEpoch"/> if the NZB does not say.</summary>
    public DateTimeOffset Date { get; }

    /// <summary>The newsgroups it was posted to; may be empty.</summary>
    public ImmutableArray<string> Groups { get; }

    /// <summary>At least one; sorted by number, each number and each id once. A gap in the numbers is a missing article.</summary>
    public ImmutableArray<NzbSegment> Segments { get; }

    /// <summary>Sum of the segments' <see cref="NzbSegment.Bytes"/>: the encoded size, a few per cent above the real one.</summary>
    public long Bytes { get; }

    /// <summary>The same file with only the first copy of each article.</summary>
    public NzbFile WithoutCopies() => new(Subject, Poster, Date, Groups, [.. Segments.Select(segment => segment.WithoutCopies())]);
}
