using System.Buffers.Binary;
using System.Security.Cryptography;

namespace NzbDav.Torrents.Metadata;

/// <summary>The 20-byte SHA-1 of a torrent's info dictionary: identifies the torrent in the swarm (BEP 3).</summary>
public readonly struct InfoHash : IEquatable<InfoHash>
{
    /// <summary>Length in bytes.</summary>
    public const int Size = 20;

    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private readonly ulong _high;
    private readonly ulong _middle;
    private readonly uint _low;

    /// <param name="bytes">Exactly 20 bytes.</param>
    public InfoHash(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length != Size)
            throw new ArgumentException("An info-hash has 20 bytes.", nameof(bytes));
        _high = BinaryPrimitives.ReadUInt64BigEndian(bytes);
        _middle = BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]);
        _low = BinaryPrimitives.ReadUInt32BigEndian(bytes[16..]);
    }

    public static bool operator ==(InfoHash left, InfoHash right) => left.Equals(right);

    public static bool operator !=(InfoHash left, InfoHash right) => !left.Equals(right);

    /// <summary>The hash of an info dictionary's exact bytes.</summary>
    public static InfoHash Of(ReadOnlySpan<byte> info)
    {
        Span<byte> hash = stackalloc byte[Size];
#pragma warning disable CA5350 // The protocol uses this hash (BEP 3).
        SHA1.HashData(info, hash);
#pragma warning restore CA5350
        return new InfoHash(hash);
    }

    /// <summary>The version 2 hash of an info dictionary's exact bytes: SHA-256, truncated to 20 bytes (BEP 52).</summary>
    public static InfoHash AliasOf(ReadOnlySpan<byte> info)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(info, hash);
        return new InfoHash(hash[..Size]);
    }

    /// <summary>Reads 40 hexadecimal digits or 32 characters of base32 (RFC 4648), in either case.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out InfoHash hash)
    {
        hash = default;
        Span<byte> bytes = stackalloc byte[Size];
        if (text.Length == Size * 2)
        {
            if (Convert.FromHexString(text, bytes, out _, out var written) != System.Buffers.OperationStatus.Done || written != Size)
                return false;
        }
        else if (text.Length != 32 || !TryBase(text, bytes))
        {
            return false;
        }

        hash = new InfoHash(bytes);
        return true;
    }

    /// <summary>Writes the 20 bytes.</summary>
    public void CopyTo(Span<byte> destination)
    {
        BinaryPrimitives.WriteUInt64BigEndian(destination, _high);
        BinaryPrimitives.WriteUInt64BigEndian(destination[8..], _middle);
        BinaryPrimitives.WriteUInt32BigEndian(destination[16..], _low);
    }

    /// <inheritdoc/>
    public bool Equals(InfoHash other) => _high == other._high && _middle == other._middle && _low == other._low;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is InfoHash other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_high, _middle, _low);

    /// <summary>40 lower-case hexadecimal digits.</summary>
    public override string ToString()
    {
        Span<byte> bytes = stackalloc byte[Size];
        CopyTo(bytes);
        return Convert.ToHexStringLower(bytes);
    }

    private static bool TryBase(ReadOnlySpan<char> text, Span<byte> bytes)
    {
        ulong bits = 0;
        var count = 0;
        var at = 0;
        foreach (var c in text)
        {
            var value = Alphabet.IndexOf(char.ToUpperInvariant(c), StringComparison.Ordinal);
            if (value < 0)
                return false;
            bits = (bits << 5) | (uint)value;
            count += 5;
            if (count < 8)
                continue;
            count -= 8;
            bytes[at++] = (byte)(bits >> count);
        }

        return at == Size;
    }
}
