using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>
/// RC4 as used by message-stream encryption: the first 1,024 bytes of its key stream are dropped. Hides a connection from simple filters,
/// but does not protect it against an eavesdropper. Makes about 1 GB of key stream per second. Not thread-safe.
/// </summary>
internal sealed class Rc4
{
    private const int Dropped = 1_024;
    private readonly byte[] _state = new byte[256];
    private byte _x;
    private byte _y;

    /// <param name="key">1 … 256 bytes.</param>
    /// <param name="drop">Bytes of the key stream to drop at the start.</param>
    public Rc4(ReadOnlySpan<byte> key, int drop = Dropped)
    {
        for (var i = 0; i < _state.Length; i++)
            _state[i] = (byte)i;
        byte y = 0;
        for (var i = 0; i < _state.Length; i++)
        {
            y += (byte)(_state[i] + key[i % key.Length]);
            (_state[i], _state[y]) = (_state[y], _state[i]);
        }

        Span<byte> dropped = stackalloc byte[Dropped];
        Process(dropped[..drop]);
    }

    /// <summary>Encrypts or decrypts the next bytes in place.</summary>
    public void Process(Span<byte> bytes)
    {
        // An index of the state is a byte, so it needs no bounds check. Eight bytes of key stream are combined, so that the data is read
        // and written eight bytes at a time.
        ref var state = ref MemoryMarshal.GetArrayDataReference(_state);
        ref var data = ref MemoryMarshal.GetReference(bytes);
        uint x = _x;
        uint y = _y;
        nint at = 0;
        for (nint end = bytes.Length - 8; at <= end; at += 8)
        {
            ulong key = Next(ref state, ref x, ref y);
            key |= (ulong)Next(ref state, ref x, ref y) << 8;
            key |= (ulong)Next(ref state, ref x, ref y) << 16;
            key |= (ulong)Next(ref state, ref x, ref y) << 24;
            key |= (ulong)Next(ref state, ref x, ref y) << 32;
            key |= (ulong)Next(ref state, ref x, ref y) << 40;
            key |= (ulong)Next(ref state, ref x, ref y) << 48;
            key |= (ulong)Next(ref state, ref x, ref y) << 56;
            if (!BitConverter.IsLittleEndian)
                key = System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(key);
            ref var eight = ref Unsafe.Add(ref data, at);
            Unsafe.WriteUnaligned(ref eight, Unsafe.ReadUnaligned<ulong>(ref eight) ^ key);
        }

        for (; at < bytes.Length; at++)
            Unsafe.Add(ref data, at) ^= (byte)Next(ref state, ref x, ref y);
        _x = (byte)x;
        _y = (byte)y;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Next(ref byte state, ref uint x, ref uint y)
    {
        x = (byte)(x + 1);
        uint a = Unsafe.Add(ref state, x);
        y = (byte)(y + a);
        uint b = Unsafe.Add(ref state, y);
        Unsafe.Add(ref state, x) = (byte)b;
        Unsafe.Add(ref state, y) = (byte)a;
        return Unsafe.Add(ref state, (byte)(a + b));
    }
}
