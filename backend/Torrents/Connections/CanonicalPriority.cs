using System.Buffers.Binary;
using System.Net;
using System.Numerics;

namespace NzbDav.Torrents.Connections;

/// <summary>
/// Priority of a connection between two peers (BEP 40): both sides calculate the same number, and no peer can choose an address that all
/// others prefer.
/// </summary>
internal static class CanonicalPriority
{
    /// <summary>Higher is preferred; 0 for addresses of different families.</summary>
    public static uint Of(IPEndPoint one, IPEndPoint other)
    {
        Span<byte> first = stackalloc byte[16];
        Span<byte> second = stackalloc byte[16];
        Plain(one.Address).TryWriteBytes(first, out var length);
        Plain(other.Address).TryWriteBytes(second, out var otherLength);
        if (length != otherLength)
            return 0;
        first = first[..length];
        second = second[..length];
        if (first.SequenceEqual(second))
        {
            // The same address: compare the ports.
            BinaryPrimitives.WriteUInt16BigEndian(first, (ushort)one.Port);
            BinaryPrimitives.WriteUInt16BigEndian(second, (ushort)other.Port);
            first = first[..2];
            second = second[..2];
        }
        else
        {
            // Masks: FF.FF.55.55; FF.FF.FF.55 in the same /16; no mask in the same /24. For IPv6 the same with /48 and /56.
            var step = length == 4 ? 2 : 6;
            var kept = first[..step].SequenceEqual(second[..step])
                ? first[..(step + 1)].SequenceEqual(second[..(step + 1)]) ? length : step + 1 : step;
            for (var i = kept; i < length; i++)
            {
                first[i] &= 0x55;
                second[i] &= 0x55;
            }
        }

        var isOrdered = first.SequenceCompareTo(second) <= 0;
        return ~Add(Add(uint.MaxValue, isOrdered ? first : second), isOrdered ? second : first);
    }

    private static IPAddress Plain(IPAddress address) => address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;

    private static uint Add(uint sum, ReadOnlySpan<byte> bytes)
    {
        foreach (var value in bytes)
            sum = BitOperations.Crc32C(sum, value);
        return sum;
    }
}
