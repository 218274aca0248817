using NzbDav.Content;

namespace NzbDav.Fakes;

/// <summary>A flight that the test answers by hand; see <see cref="ManualSegmentFetcher"/>.</summary>
public sealed class ManualSegment(SegmentFlight flight)
{
    /// <summary>The flight.</summary>
    public SegmentFlight Flight => flight;

    /// <summary>What was asked for.</summary>
    public SegmentKey Key => flight.Key;

    /// <summary>The bytes that a segment of this id has: the same ones in every test.</summary>
    public static byte[] BytesOf(string id, int size)
    {
        var seed = 17;
        foreach (var c in id)
            seed = (seed * 31) + c;
        return SeededBytes.Make(seed, size);
    }

    /// <summary>Marks the request as sent: it can no longer be dropped.</summary>
    public void Send() => flight.Sent = true;

    /// <summary>A request is answered: the header came, bytes may follow.</summary>
    /// <param name="bytes">What the answer holds; null for the right bytes.</param>
    /// <param name="begin">Offset that its header tells; null for the expected one.</param>
    public ManualAttempt Answer(byte[]? bytes = null, long? begin = null)
    {
        Send();
        return new ManualAttempt(flight, bytes ?? BytesOf(Key.Id, Key.Size), begin ?? Math.Max(0, Key.Begin));
    }

    /// <summary>Answered, received and verified.</summary>
    public void Complete(byte[]? bytes = null, long? begin = null) => Answer(bytes, begin).Complete();

    /// <summary>No attempt is left.</summary>
    public void Fail(ContentFault fault, string reason = "a test says so")
    {
        Send();
        flight.Fail(fault, reason);
    }
}
