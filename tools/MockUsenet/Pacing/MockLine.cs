namespace NzbDav.MockUsenet.Pacing;

/// <summary>The line of a household, which all providers reach it by: whoever sends has of it what the others leave. Thread-safe.</summary>
/// <param name="bytesPerSecond">Body bytes per second; more than 0.</param>
public sealed class MockLine(long bytesPerSecond)
{
    private readonly Pacer _pacer = new(bytesPerSecond, Pacer.SharedPieces);

    /// <summary>How many bytes to hand over at once when <paramref name="sent"/> went before.</summary>
    internal int Piece(long sent) => _pacer.Piece(sent);

    /// <summary>Ticks at which bytes that go now have passed. What is not sent before a later moment must not ask yet: it would keep the others from the line.</summary>
    internal long Pass(int bytes, long now) => _pacer.Pass(bytes, ready: 0, now);
}
