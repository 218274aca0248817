using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>One article of a file. Its id lies in a block shared with other segments: 24 bytes here, whatever the id's length.</summary>
public readonly struct NzbSegment
{
    private readonly ReadOnlyMemory<byte> _messageId;

    internal NzbSegment(int number, int bytes, ReadOnlyMemory<byte> messageId)
    {
        _messageId = messageId;
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
    public ReadOnlyMemory<byte> MessageIdUtf8 => _messageId;

    /// <summary>The same as a string; allocates at each call.</summary>
    public string MessageId => Encoding.UTF8.GetString(_messageId.Span);

    /// <inheritdoc/>
    public override string ToString() => $"{Number}: {MessageId} ({Bytes})";

    internal NzbSegment WithNumber(int number) => new(number, Bytes, _messageId);
}
