namespace NzbDav.MockUsenet.Pacing;

/// <summary>A household's line, shared by all providers: each gets the bandwidth that the others leave. Thread-safe.</summary>
/// <param name="bytesPerSecond">Body bytes per second; more than 0.</param>
public sealed class MockLine(long bytesPerSecond)
{
    private readonly Pacer _pacer = new(bytesPerSecond, Pacer.SharedPieces);

    /// <summary>How many bytes to send at once after <paramref name="sent"/> bytes.</summary>
    internal int Piece(long sent) => _pacer.Piece(sent);

    /// <summary>Ticks at which bytes sent now have passed. Call it only for bytes that can be sent now: others would block the line in the meantime.</summary>
    internal long Pass(int bytes, long now) => _pacer.Pass(bytes, ready: 0, now);
}
