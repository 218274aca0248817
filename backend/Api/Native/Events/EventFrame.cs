using System.Globalization;
using System.Text;

namespace NzbDav.Api.Native.Events;

/// <summary>An event as it goes over the wire, the same bytes for all pages.</summary>
/// <param name="Topic">Who hears it; null: everybody.</param>
/// <param name="Sequence">Its number; 0 for one without an id.</param>
/// <param name="Bytes">All of it, with the empty line at its end.</param>
internal sealed record EventFrame(string? Topic, long Sequence, byte[] Bytes)
{
    /// <summary>What came meanwhile is lost: read anew.</summary>
    public const string Reset = "reset";

    /// <param name="topic">Who hears it.</param>
    /// <param name="name">The event's name.</param>
    /// <param name="epoch">First half of the id.</param>
    /// <param name="sequence">Second half; null: it has no id.</param>
    /// <param name="json">The data: one line.</param>
    public static EventFrame Of(string? topic, string name, string epoch, long? sequence, ReadOnlySpan<byte> json)
    {
        var head = Encoding.ASCII.GetBytes(sequence is { } number ? string.Create(CultureInfo.InvariantCulture, $"id: {epoch}-{number}\nevent: {name}\ndata: ") : $"event: {name}\ndata: ");
        return new EventFrame(topic, sequence ?? 0, [.. head, .. json, (byte)'\n', (byte)'\n']);
    }
}
