using System.Collections.Concurrent;
using NzbDav.Content.Rates;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Receive buffers of connections that have something to receive; idle connections hold none. All bytes pass through here, so the speed
/// limit is enforced here too, and accounts are charged. Thread-safe.
/// </summary>
internal sealed class ReceiveBuffers
{
    /// <summary>Bytes of a buffer. With 32 KiB receiving costs up to three times the CPU of 256 KiB (0.7 against 0.25 s per GB).</summary>
    public const int Size = 256 << 10;

    /// <summary>Least bytes that a connection asks for at a time, so that a low limit does not cause many tiny reads.</summary>
    private const int LeastRead = 2 << 10;

    private readonly ConcurrentStack<byte[]> _idle;
    private readonly RateLimit? _limit;
    private readonly Action<int>? _charge;

    /// <param name="limit">Limit of all connections together; null: none.</param>
    public ReceiveBuffers(RateLimit? limit = null)
        : this([], limit, charge: null)
    {
    }

    private ReceiveBuffers(ConcurrentStack<byte[]> idle, RateLimit? limit, Action<int>? charge) =>
        (_idle, _limit, _charge) = (idle, limit, charge);

    /// <summary>The same buffers and the same limit, for one account.</summary>
    /// <param name="charge">Called with the number of bytes received, on the receiving thread: must return at once.</param>
    public ReceiveBuffers Charging(Action<int> charge) => new(_idle, _limit, charge);

    public byte[] Rent() => _idle.TryPop(out var buffer) ? buffer : GC.AllocateUninitializedArray<byte>(Size);

    public void Return(byte[] buffer) => _idle.Push(buffer);

    /// <summary>Bytes that a connection should receive at once, so that many of them share a low limit evenly.</summary>
    public int ReadSize(int most) =>
        _limit is { BytesPerSecond: > 0 and var limit } ? (int)Math.Clamp(limit / 64, Math.Min(LeastRead, most), most) : most;

    /// <summary>Counts received bytes.</summary>
    /// <returns>How long the connection must leave its socket alone; TCP then slows the sender.</returns>
    public RateHold Received(int bytes)
    {
        _charge?.Invoke(bytes);
        return _limit is null ? RateHold.None : _limit.Charge(bytes);
    }
}
