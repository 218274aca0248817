using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.MockUsenet.Protocol;

/// <summary>A reply, decided when its command arrived and sent in its turn.</summary>
internal readonly struct Reply
{
    public ReplyKind Kind { get; init; }

    public ReadOnlyMemory<byte> Text { get; init; }

    public PostedSegment? Segment { get; init; }

    /// <summary>The fault of the body; null for none.</summary>
    public Fault? Fault { get; init; }

    /// <summary>True if the connection ends after this reply.</summary>
    public bool Close { get; init; }

    /// <summary>Earliest time of the first byte, in ticks; 0 = at once.</summary>
    public long Due { get; init; }

    /// <summary>Additional delay of its first byte in ticks, from the time at which it could have been sent.</summary>
    public long Delay { get; init; }

    /// <summary>Bytes per second of its body; 0 = the connection's rate.</summary>
    public long Rate { get; init; }

    public static implicit operator Reply(byte[] text) => FromText(text);

    public static Reply FromText(byte[] text, bool close = false) => new() { Kind = ReplyKind.Text, Text = text, Close = close };
}
