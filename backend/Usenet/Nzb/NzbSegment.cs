using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>One article of a file. Its id lies in a block shared with other segments: 24 bytes here, whatever the id's length.</summary>
public readonly struct NzbSegment
{
    private readonly ReadOnlyMemory<byte> _ids;

    internal NzbSegment(int number, int bytes, ReadOnlyMemory<byte> ids)
    {
        _ids = ids;
        Number = number;
        Bytes = bytes;
    }

    /// <summary>Position in the file, by which segments are sorted; usually from 1. Made up where the NZB gives none.</summary>
    public int Number { get; }

    /// <summary>Size of the encoded article in bytes, as the NZB says: only a hint. 0 if it does not say.</summary>
    public int Bytes { get; }

    /// <summary>
    /// The message-id without angle brackets: 1 to 500 bytes of valid UTF-8 without white space, control characters or
    /// brackets, so that it can stand in an NNTP command as it is.
    /// </summary>
    public ReadOnlyMemory<byte> MessageIdUtf8 => Nzb.ArticleIds.First(_ids);

    /// <summary>The same as a string; allocates at each call.</summary>
    public string MessageId => Encoding.UTF8.GetString(MessageIdUtf8.Span);

    /// <summary>The message-ids of all copies that the NZB lists for this number, <see cref="MessageIdUtf8"/> first: see <see cref="Nzb.ArticleIds"/>.</summary>
    public ReadOnlyMemory<byte> ArticleIdsUtf8 => _ids;

    /// <summary>The same as a string; allocates at each call.</summary>
    public string ArticleIds => Encoding.UTF8.GetString(_ids.Span);

    /// <summary>How many they are; 0 for an article that the NZB does not list (<see cref="NzbFile.WithUnlisted"/>).</summary>
    public int Copies => Nzb.ArticleIds.Count(_ids);

    /// <inheritdoc/>
    public override string ToString() => $"{Number}: {MessageId} ({Bytes})";

    internal static NzbSegment Unlisted(int number, string file) =>
        new(number, 0, Encoding.UTF8.GetBytes(Nzb.ArticleIds.Unlisted(number, file)));

    internal NzbSegment WithNumber(int number) => new(number, Bytes, _ids);

    internal NzbSegment WithCopy(ReadOnlyMemory<byte> messageId) => new(Number, Bytes, Nzb.ArticleIds.Append(_ids, messageId));

    internal NzbSegment WithCopies(NzbSegment other) => new(Number, Bytes, Encoding.UTF8.GetBytes(Nzb.ArticleIds.Join(ArticleIds, other.ArticleIds)));

    internal NzbSegment WithoutCopies() => new(Number, Bytes, MessageIdUtf8);
}
