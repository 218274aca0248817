using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Fakes;

/// <summary>
/// Writes PAR2 files (Parity Volume Set Specification 2.0): descriptions, checksums, and, for volumes, slices of noise in place of recovery data, which nothing here
/// computes with. <c>par2 verify</c> accepts the index.
/// </summary>
#pragma warning disable CA5351 // The format asks for MD5.
public sealed class Par2Writer
{
    private readonly List<(string Name, byte[] Bytes)> _files = [];

    /// <summary>Bytes in a slice, a multiple of 4.</summary>
    public int SliceSize { get; init; } = 4000;

    /// <summary>Adds a file that the set protects.</summary>
    public Par2Writer Add(string name, byte[] bytes)
    {
        _files.Add((name, bytes));
        return this;
    }

    /// <summary>The small file of a set: all descriptions, no slices.</summary>
    public byte[] Index() => Write(slices: 0);

    /// <summary>A volume: slices first, and the descriptions behind them, as some programs write it.</summary>
    public byte[] Volume(int slices) => Write(slices);

    private byte[] Write(int slices)
    {
        // By the specification the main packet lists the ids sorted, as numbers with the least significant byte first.
        var files = _files.Select(file => (Id: IdOf(file.Name, file.Bytes), file.Name, file.Bytes)).OrderBy(file => Convert.ToHexString([.. file.Id.AsEnumerable().Reverse()]), StringComparer.Ordinal).ToArray();
        byte[] main = [.. Number(SliceSize), .. BitConverter.GetBytes(files.Length), .. files.SelectMany(file => file.Id)];
        var set = MD5.HashData(main);
        using var output = new MemoryStream();
        for (var i = 0; i < slices; i++)
            output.Write(Packet(set, "PAR 2.0\0RecvSlic", [.. BitConverter.GetBytes(i), .. SeededBytes.Make(i, SliceSize)]));
        output.Write(Packet(set, "PAR 2.0\0Main\0\0\0\0", main));
        foreach (var (id, name, bytes) in files)
        {
            output.Write(Packet(set, "PAR 2.0\0FileDesc", [.. id, .. MD5.HashData(bytes), .. MD5.HashData(Head(bytes)), .. Number(bytes.Length), .. Padded(Encoding.UTF8.GetBytes(name))]));
            output.Write(Packet(set, "PAR 2.0\0IFSC\0\0\0\0", [.. id, .. Checksums(bytes)]));
        }

        output.Write(Packet(set, "PAR 2.0\0Creator\0", Padded("NzbDav.Fakes"u8.ToArray())));
        return output.ToArray();
    }

    private static byte[] IdOf(string name, byte[] bytes) => MD5.HashData([.. MD5.HashData(Head(bytes)), .. Number(bytes.Length), .. Encoding.UTF8.GetBytes(name)]);

    private static byte[] Head(byte[] bytes) => bytes[..Math.Min(bytes.Length, 16 << 10)];

    private static byte[] Number(long value)
    {
        var bytes = new byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, value);
        return bytes;
    }

    private static byte[] Padded(byte[] bytes) => [.. bytes, .. new byte[(4 - (bytes.Length % 4)) % 4]];

    private static byte[] Packet(byte[] set, string type, byte[] body)
    {
        byte[] hashed = [.. set, .. Encoding.ASCII.GetBytes(type), .. body];
        return [.. "PAR2\0PKT"u8, .. Number(32 + hashed.Length), .. MD5.HashData(hashed), .. hashed];
    }

    private byte[] Checksums(byte[] bytes)
    {
        using var all = new MemoryStream();
        for (var at = 0; at < bytes.Length; at += SliceSize)
        {
            var slice = new byte[SliceSize];
            bytes.AsSpan(at, Math.Min(SliceSize, bytes.Length - at)).CopyTo(slice);
            all.Write(MD5.HashData(slice));
            all.Write(BitConverter.GetBytes(Crc(slice)));
        }

        return all.ToArray();
    }

    private static uint Crc(byte[] bytes)
    {
        var crc = uint.MaxValue;
        foreach (var value in bytes)
        {
            crc ^= value;
            for (var bit = 0; bit < 8; bit++)
                crc = (crc & 1) != 0 ? (crc >> 1) ^ 0xEDB88320 : crc >> 1;
        }

        return ~crc;
    }
}
