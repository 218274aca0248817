using System.Buffers;
using System.Globalization;
using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>
/// The id of an article in a segment: the message-ids of its copies, separated by spaces, in the order in which they are requested. A
/// message-id contains no space (RFC 5536, section 3.1.3), so the id of an article with one copy is its message-id.
/// </summary>
public static class ArticleIds
{
    /// <summary>Most copies kept of one article. Further copies are not requested.</summary>
    public const int MostCopies = 3;

    /// <summary>
    /// Longest id in bytes: <see cref="MostCopies"/> message-ids of 500 bytes each, the most that fit into an NNTP command line (RFC 3977,
    /// section 3.1), and the spaces.
    /// </summary>
    public const int LongestLength = (MostCopies * NzbMessageId.MaxLength) + MostCopies - 1;

    private const char Separator = ' ';

    /// <summary>
    /// Makes the id of an article that the NZB does not list. No copy of it can be requested, but a repaired one can be stored.
    /// </summary>
    /// <param name="number">Its number in the file.</param>
    /// <param name="file">The message-id of an article of the same file.</param>
    public static string Unlisted(int number, string file) => string.Create(CultureInfo.InvariantCulture, $" {number} {file}");

    /// <summary>True for an unlisted article whose file is not known: it was published before such articles could be repaired.</summary>
    public static bool IsNameless(string ids) => IsUnlisted(ids) && ids.IndexOf(Separator, 1) < 0;

    /// <summary>The number of an unlisted article in its file, as text.</summary>
    public static string NumberOf(string unlisted)
    {
        ArgumentNullException.ThrowIfNull(unlisted);
        return unlisted.Split(Separator)[1];
    }

    /// <summary>True for an id made by <see cref="Unlisted"/>.</summary>
    public static bool IsUnlisted(string ids)
    {
        ArgumentNullException.ThrowIfNull(ids);
        return ids is [Separator, ..];
    }

    /// <summary>True unless the id is exactly one message-id.</summary>
    internal static bool AreSeveral(string ids) => ids.Contains(Separator);

    /// <summary>The message-ids one by one. Empty for an article that is not listed.</summary>
    public static string[] Split(string ids)
    {
        ArgumentNullException.ThrowIfNull(ids);
        return IsUnlisted(ids) ? [] : ids.Split(Separator);
    }

    /// <summary>The id with the copies of both ids, without duplicates, at most <see cref="MostCopies"/>.</summary>
    public static string Join(string ids, string others) =>
        Split(ids).Union(Split(others), StringComparer.Ordinal).Take(MostCopies).ToArray() is { Length: > 0 } all
            ? string.Join(Separator, all) : ids;

    /// <summary>Appends one more copy.</summary>
    internal static ReadOnlyMemory<byte> Append(ReadOnlyMemory<byte> ids, ReadOnlyMemory<byte> other) =>
        (byte[])[.. ids.Span, (byte)Separator, .. other.Span];

    /// <summary>Number of copies; 0 for an article that is not listed.</summary>
    internal static int Count(ReadOnlyMemory<byte> ids) => ids.Span is [(byte)Separator, ..] ? 0 : 1 + ids.Span.Count((byte)Separator);

    /// <summary>The message-id of the first copy; empty for an article that is not listed.</summary>
    internal static ReadOnlyMemory<byte> First(ReadOnlyMemory<byte> ids) =>
        ids.Span.IndexOf((byte)Separator) is var end and >= 0 ? ids[..end] : ids;
}

/// <summary>Cleans up message-ids and rejects those that must not reach an NNTP command line.</summary>
internal static class NzbMessageId
{
    /// <summary>
    /// Most bytes of a message-id. RFC 3977, section 3.1: a command line has at most 512 octets; <c>ARTICLE &lt;&gt;</c> and CRLF take 12
    /// of them.
    /// </summary>
    public const int MaxLength = 500;

    private static readonly SearchValues<byte> Forbidden =
        SearchValues.Create([.. Enumerable.Range(0, 0x21).Select(b => (byte)b), 0x7F, (byte)'<', (byte)'>']);

    /// <summary>Removes white space and angle brackets, and resolves XML references.</summary>
    /// <param name="raw">The text of the element.</param>
    /// <param name="text">Decodes text that is not plain ASCII.</param>
    /// <param name="id">Valid UTF-8; may be a part of <paramref name="raw"/>.</param>
    /// <returns>False if nothing is left, or the rest is not a message-id.</returns>
    public static bool TryNormalize(ReadOnlySpan<byte> raw, NzbText text, out ReadOnlySpan<byte> id)
    {
        id = raw.Trim(" \t\r\n"u8);
        if (id.Contains((byte)'&') || !Ascii.IsValid(id))
            id = Encoding.UTF8.GetBytes(text.Decode(id).Trim());
        if (id is [(byte)'<', ..])
            id = id[1..];
        if (id is [.., (byte)'>'])
            id = id[..^1];
        id = id.Trim(" \t\r\n"u8);
        return id.Length is > 0 and <= MaxLength && !id.ContainsAny(Forbidden);
    }
}

/// <summary>Packs message-ids into blocks: one object per 1,500 ids instead of one per id.</summary>
internal sealed class NzbIdBlocks
{
    /// <summary>Size of a block in bytes: below the 85,000 from which arrays go to the large object heap.</summary>
    private const int BlockSize = 64 << 10;

    private byte[] _block = [];
    private int _used;

    public ReadOnlyMemory<byte> Add(ReadOnlySpan<byte> id)
    {
        if (_block.Length - _used < id.Length)
        {
            _block = GC.AllocateUninitializedArray<byte>(BlockSize);
            _used = 0;
        }

        id.CopyTo(_block.AsSpan(_used));
        var added = new ReadOnlyMemory<byte>(_block, _used, id.Length);
        _used += id.Length;
        return added;
    }
}

/// <summary>Compares message-ids byte by byte. Hashes are seeded per process, so that no NZB can be crafted to collide.</summary>
internal sealed class NzbIdComparer : IEqualityComparer<ReadOnlyMemory<byte>>
{
    public static NzbIdComparer Instance { get; } = new();

    public bool Equals(ReadOnlyMemory<byte> x, ReadOnlyMemory<byte> y) => x.Span.SequenceEqual(y.Span);

    public int GetHashCode(ReadOnlyMemory<byte> obj)
    {
        var hash = default(HashCode);
        hash.AddBytes(obj.Span);
        return hash.ToHashCode();
    }
}
