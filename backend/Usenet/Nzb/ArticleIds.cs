using System.Globalization;

namespace NzbDav.Usenet.Nzb;

/// <summary>
/// The id of an article in a segment: the message-ids of its copies, separated by spaces, in the order in which they are requested. A message-id holds no space (RFC 5536, section
/// 3.1.3), so an article with one copy has its message-id.
/// </summary>
public static class ArticleIds
{
    /// <summary>Most copies kept of one article; more are not requested.</summary>
    public const int MostCopies = 3;

    /// <summary>Longest id in bytes: <see cref="MostCopies"/> message-ids of 500 bytes each, as a command line of NNTP holds no more (RFC 3977, section 3.1), and the spaces.</summary>
    public const int LongestLength = (MostCopies * NzbMessageId.MaxLength) + MostCopies - 1;

    private const char Separator = ' ';

    /// <summary>Makes the id of an article that the .nzb does not list: no copy can be requested, but a restored one be stored.</summary>
    /// <param name="number">Its number in the file.</param>
    /// <param name="file">The message-id of an article of the same file.</param>
    public static string Unlisted(int number, string file) => string.Create(CultureInfo.InvariantCulture, $" {number} {file}");

    /// <summary>True for an unlisted article whose file is not known: it was published before such articles could be restored.</summary>
    public static bool IsNameless(string ids) => IsUnlisted(ids) && ids.IndexOf(Separator, 1) < 0;

    /// <summary>The number of an unlisted article in its file, as text.</summary>
    public static string NumberOf(string unlisted)
    {
        ArgumentNullException.ThrowIfNull(unlisted);
        return unlisted.Split(Separator)[1];
    }

    /// <summary>True for what <see cref="Unlisted"/> made.</summary>
    public static bool IsUnlisted(string ids)
    {
        ArgumentNullException.ThrowIfNull(ids);
        return ids is [Separator, ..];
    }

    /// <summary>True for anything but exactly one message-id: several copies, or none.</summary>
    internal static bool AreSeveral(string ids) => ids.Contains(Separator);

    /// <summary>The message-ids one by one. None for an article that is not listed.</summary>
    public static string[] Split(string ids)
    {
        ArgumentNullException.ThrowIfNull(ids);
        return IsUnlisted(ids) ? [] : ids.Split(Separator);
    }

    /// <summary>The copies of both, without duplicates, at most <see cref="MostCopies"/>.</summary>
    public static string Join(string ids, string others) =>
        Split(ids).Union(Split(others), StringComparer.Ordinal).Take(MostCopies).ToArray() is { Length: > 0 } all ? string.Join(Separator, all) : ids;

    /// <summary>Appends one more copy.</summary>
    internal static ReadOnlyMemory<byte> Append(ReadOnlyMemory<byte> ids, ReadOnlyMemory<byte> other) => (byte[])[.. ids.Span, (byte)Separator, .. other.Span];

    /// <summary>How many copies there are; 0 for an article that is not listed.</summary>
    internal static int Count(ReadOnlyMemory<byte> ids) => ids.Span is [(byte)Separator, ..] ? 0 : 1 + ids.Span.Count((byte)Separator);

    /// <summary>The message-id of the first copy; empty for an article that is not listed.</summary>
    internal static ReadOnlyMemory<byte> First(ReadOnlyMemory<byte> ids) => ids.Span.IndexOf((byte)Separator) is var end and >= 0 ? ids[..end] : ids;
}
