using System.Globalization;
using System.Text;

namespace NzbDav.Api.Native.Events;

/// <summary>An event as sent over the wire, the same bytes for all pages.</summary>
/// <param name="Topic">The topic whose listeners get it; null: all pages.</param>
/// <param name="Sequence">Its number; 0 if it has no id.</param>
/// <param name="Bytes">The whole event, with the empty line at its end.</param>
internal sealed record EventFrame(string? Topic, long Sequence, byte[] Bytes)
{
    /// <summary>Events were lost: pages have to read their data again.</summary>
    public const string Reset = "reset";

    /// <param name="topic">The topic whose listeners get it; null: all pages.</param>
    /// <param name="name">Name of the event.</param>
    /// <param name="epoch">First half of the id.</param>
    /// <param name="sequence">Second half of the id; null: no id.</param>
    /// <param name="json">The data: one line.</param>
    public static EventFrame Of(string? topic, string name, string epoch, long? sequence, ReadOnlySpan<byte> json)
    {
        var head = Encoding.ASCII.GetBytes(sequence is { } number ? string.Create(CultureInfo.InvariantCulture, $"id: {epoch}-{number}\nevent: {name}\ndata: ") : $"event: {name}\ndata: ");
        return new EventFrame(topic, sequence ?? 0, [.. head, .. json, (byte)'\n', (byte)'\n']);
    }
}
