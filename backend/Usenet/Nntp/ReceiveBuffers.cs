using System.Collections.Concurrent;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Receive buffers of connections that have something to receive; idle connections hold none. All bytes come through here, so the limit of the line is kept
/// here too. Thread-safe.
/// </summary>
/// <param name="limit">Of all connections together; null: none.</param>
internal sealed class ReceiveBuffers(LineLimit? limit = null)
{
    /// <summary>With 32 KiB the receive side costs up to three times the CPU of 256 KiB (0.7 against 0.25 s per GB).</summary>
    public const int Size = 256 << 10;

    private readonly ConcurrentStack<byte[]> _idle = new();

    public byte[] Rent() => _idle.TryPop(out var buffer) ? buffer : GC.AllocateUninitializedArray<byte>(Size);

    public void Return(byte[] buffer) => _idle.Push(buffer);

    /// <inheritdoc cref="LineLimit.ReadSize"/>
    public int ReadSize(int most) => limit is null ? most : limit.ReadSize(most);

    /// <inheritdoc cref="LineLimit.Received"/>
    public TimeSpan Received(int bytes) => limit is null ? TimeSpan.Zero : limit.Received(bytes);
}
