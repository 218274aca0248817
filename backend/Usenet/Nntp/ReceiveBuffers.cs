using System.Collections.Concurrent;

namespace NzbDav.Usenet.Nntp;

/// <summary>Receive buffers of connections that have something to receive; idle connections hold none. Thread-safe.</summary>
internal sealed class ReceiveBuffers
{
    /// <summary>With 32 KiB the receive side costs up to three times the CPU of 256 KiB (0.7 against 0.25 s per GB).</summary>
    public const int Size = 256 << 10;

    private readonly ConcurrentStack<byte[]> _idle = new();

    public byte[] Rent() => _idle.TryPop(out var buffer) ? buffer : GC.AllocateUninitializedArray<byte>(Size);

    public void Return(byte[] buffer) => _idle.Push(buffer);
}
