using System.Buffers;

namespace NzbDav.Torrents.Utp;

/// <summary>Pooled memory of all uTP connections of an engine, with one limit. Thread-safe.</summary>
internal sealed class UtpMemory
{
    /// <summary>
    /// Most bytes of all connections. Half of it suffices for 32 connections that hold <see cref="Plenty"/> in one direction, all of it for
    /// 1,000 that hold <see cref="Least"/> in both.
    /// </summary>
    public const long Most = 64 << 20;

    /// <summary>
    /// Most bytes of one connection in each direction while at most half of the memory is in use. With a round trip of 100 ms this carries
    /// 10 MB/s.
    /// </summary>
    public const int Plenty = 1 << 20;

    /// <summary>Most bytes of one connection in each direction once more than half of the memory is in use.</summary>
    public const int Least = 32 << 10;

    private long _held;

    /// <summary>Bytes in use.</summary>
    public long Held => Interlocked.Read(ref _held);

    /// <summary>Most bytes that a connection may currently hold in each direction.</summary>
    public int LimitPerConnection => Held > Most / 2 ? Least : Plenty;

    /// <summary>Rents a buffer of at least this size; null if all memory is in use.</summary>
    public byte[]? TryRent(int size)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(size);
        if (Interlocked.Add(ref _held, buffer.Length) <= Most)
            return buffer;
        Return(buffer);
        return null;
    }

    /// <summary>
    /// Rents a buffer for bytes that are already in memory, even if that exceeds the limit for a moment: the previous buffer is returned
    /// next.
    /// </summary>
    public byte[] Rent(int size)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(size);
        Interlocked.Add(ref _held, buffer.Length);
        return buffer;
    }

    /// <summary>Returns a buffer, which must not be used afterwards.</summary>
    public void Return(byte[] buffer)
    {
        Interlocked.Add(ref _held, -buffer.Length);
        ArrayPool<byte>.Shared.Return(buffer);
    }
}
