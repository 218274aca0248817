using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Datagrams;

/// <summary>
/// Address and port as a value, so that a datagram needs no allocation. An IPv4 address mapped to IPv6 counts as IPv4. The default value is
/// no address.
/// </summary>
internal readonly record struct DatagramAddress
{
    private readonly UInt128 _address;
    private readonly ushort _port;
    private readonly byte _length;

    private DatagramAddress(UInt128 address, byte length, int port)
    {
        _address = address;
        _length = length;
        _port = (ushort)port;
    }

    /// <param name="endpoint">Scope ids of IPv6 addresses are dropped.</param>
    public DatagramAddress(IPEndPoint endpoint)
    {
        Span<byte> bytes = stackalloc byte[16];
        endpoint.Address.TryWriteBytes(bytes, out var length);
        this = Of(bytes[..length], endpoint.Port);
    }

    /// <summary>IPv4 or IPv6; unspecified for the default value.</summary>
    public AddressFamily Family =>
        _length switch { 4 => AddressFamily.InterNetwork, 16 => AddressFamily.InterNetworkV6, _ => AddressFamily.Unspecified };

    public int Port => _port;

    /// <summary>Bytes of the address: 4 or 16.</summary>
    public int AddressBytes => _length;

    /// <summary>Address without port, as a number that is unique within its family.</summary>
    public UInt128 AddressNumber => _address;

    /// <summary>
    /// True for loopback, link-local, private and shared addresses (RFC 1918, 4193, 6598), which cannot be reached from other networks.
    /// </summary>
    public bool IsLocal => _length == 4
        ? _address >> 24 == 127 || _address >> 24 == 10 || _address >> 20 == 0xAC1 || _address >> 16 == 0xC0A8 || _address >> 16 == 0xA9FE
            || _address >> 22 == 0x191
        : _address == 1 || _address >> 121 == 0x7E || _address >> 118 == 0x3FA;

    /// <summary>True if datagrams can be sent to it: it has a port, and is not unspecified, broadcast or multicast.</summary>
    public bool IsUsable => _port != 0
        && (_length == 4 ? _address >> 24 != 0 && _address >> 28 < 0xE : _length == 16 && _address != 0 && _address >> 120 != 0xFF);

    /// <param name="address">4 or 16 bytes.</param>
    /// <param name="port">0 … 65535.</param>
    public static DatagramAddress Of(ReadOnlySpan<byte> address, int port)
    {
        if (address.Length == 4)
            return new DatagramAddress(BinaryPrimitives.ReadUInt32BigEndian(address), 4, port);
        var number = BinaryPrimitives.ReadUInt128BigEndian(address);

        // IPv4 addresses mapped to IPv6 (RFC 4291, 2.5.5.2: ::ffff:0:0/96).
        return number >> 32 == 0xFFFF ? new DatagramAddress(number & uint.MaxValue, 4, port) : new DatagramAddress(number, 16, port);
    }

    /// <summary>Reads the compact form: the address, followed by two bytes of port (BEP 5, 23, 32).</summary>
    /// <param name="compact">6 or 18 bytes.</param>
    public static DatagramAddress Read(ReadOnlySpan<byte> compact) =>
        Of(compact[..^2], BinaryPrimitives.ReadUInt16BigEndian(compact[^2..]));

    /// <summary>Writes the bytes of the address.</summary>
    /// <returns>Number of bytes: 4 or 16.</returns>
    public int WriteAddress(Span<byte> destination)
    {
        if (_length == 4)
            BinaryPrimitives.WriteUInt32BigEndian(destination, (uint)_address);
        else
            BinaryPrimitives.WriteUInt128BigEndian(destination, _address);
        return _length;
    }

    /// <summary>Writes the compact form: see <see cref="Read"/>.</summary>
    /// <returns>Number of bytes: 6 or 18.</returns>
    public int Write(Span<byte> destination)
    {
        var length = WriteAddress(destination);
        BinaryPrimitives.WriteUInt16BigEndian(destination[length..], _port);
        return length + 2;
    }

    /// <summary>The same address with another port.</summary>
    public DatagramAddress WithPort(int port) => new(_address, _length, port);

    /// <summary>The address without port.</summary>
    public IPAddress ToAddress()
    {
        Span<byte> bytes = stackalloc byte[16];
        return new IPAddress(bytes[..WriteAddress(bytes)]);
    }

    /// <summary>Address and port as a .NET type.</summary>
    public IPEndPoint ToEndPoint() => new(ToAddress(), _port);

    public override string ToString() => _length == 0 ? "none" : ToEndPoint().ToString();
}
