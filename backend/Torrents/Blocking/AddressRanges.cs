using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Blocking;

/// <summary>
/// Sorted and merged ranges of addresses. A look-up is a binary search. An IPv4 range takes 8 bytes, an IPv6 range 32. Immutable,
/// thread-safe.
/// </summary>
internal sealed class AddressRanges
{
    private readonly uint[] _first4;
    private readonly uint[] _last4;
    private readonly UInt128[] _first6;
    private readonly UInt128[] _last6;

    /// <param name="four">Ranges of IPv4 addresses, in any order; the list is sorted in place.</param>
    /// <param name="six">Ranges of IPv6 addresses, in any order; the list is sorted in place.</param>
    public AddressRanges(List<(uint First, uint Last)> four, List<(UInt128 First, UInt128 Last)> six)
    {
        four.Sort();
        six.Sort();
        (_first4, _last4) = Join(four, static (last, next) => next <= last || next - last == 1);
        (_first6, _last6) = Join(six, static (last, next) => next <= last || next - last == 1);
    }

    /// <summary>Makes one range per address.</summary>
    public static AddressRanges Of(IEnumerable<IPAddress> addresses)
    {
        var (four, six) = (new List<(uint, uint)>(), new List<(UInt128, UInt128)>());
        foreach (var address in addresses)
        {
            var plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
            var bytes = plain.GetAddressBytes();
            if (bytes.Length == 4)
                four.Add((BinaryPrimitives.ReadUInt32BigEndian(bytes), BinaryPrimitives.ReadUInt32BigEndian(bytes)));
            else
                six.Add((BinaryPrimitives.ReadUInt128BigEndian(bytes), BinaryPrimitives.ReadUInt128BigEndian(bytes)));
        }

        return new AddressRanges(four, six);
    }

    public static AddressRanges Empty { get; } = new([], []);

    /// <summary>Number of ranges after merging adjacent ones.</summary>
    public int Count => _first4.Length + _first6.Length;

    /// <summary>Memory of the ranges, in bytes.</summary>
    public int Bytes => (8 * _first4.Length) + (32 * _first6.Length);

    /// <summary>True if the address is in one of the ranges. An IPv4 address mapped to IPv6 counts as IPv4.</summary>
    public bool Contain(IPAddress address)
    {
        if (Count == 0)
            return false;
        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out var length);
        if (length == 4)
            return Find(_first4, _last4, BinaryPrimitives.ReadUInt32BigEndian(bytes));
        var number = BinaryPrimitives.ReadUInt128BigEndian(bytes);
        return number >> 32 == 0xFFFF ? Find(_first4, _last4, (uint)number) : Find(_first6, _last6, number);
    }

    /// <summary>Like <see cref="Contain(IPAddress)"/>, for an address as a number.</summary>
    public bool Contain(AddressFamily family, UInt128 number) =>
        Count > 0 && (family == AddressFamily.InterNetwork ? Find(_first4, _last4, (uint)number) : Find(_first6, _last6, number));

    private static bool Find<T>(T[] first, T[] last, T value)
        where T : IComparable<T>
    {
        var at = Array.BinarySearch(first, value);
        if (at >= 0)
            return true;
        var before = ~at - 1;
        return before >= 0 && value.CompareTo(last[before]) <= 0;
    }

    private static (T[] First, T[] Last) Join<T>(List<(T First, T Last)> sorted, Func<T, T, bool> touch)
        where T : IComparable<T>
    {
        var (first, last) = (new List<T>(sorted.Count), new List<T>(sorted.Count));
        foreach (var range in sorted)
        {
            if (first.Count > 0 && touch(last[^1], range.First))
            {
                if (range.Last.CompareTo(last[^1]) > 0)
                    last[^1] = range.Last;
                continue;
            }

            first.Add(range.First);
            last.Add(range.Last);
        }

        return ([.. first], [.. last]);
    }
}
