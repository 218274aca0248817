using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Fakes.Archives;

namespace NzbDav.Fakes.Recovery;

/// <summary>
/// Writes PAR2 files (Parity Volume Set Specification 2.0): descriptions, checksums, and, for volumes, recovery slices, calculated a word
/// at a time. <c>par2 verify</c> accepts the index.
/// </summary>
#pragma warning disable CA5351 // The format asks for MD5.
public sealed class Par2Writer
{
    private readonly List<(string Name, byte[] Bytes)> _files = [];

    /// <summary>Bytes in a slice, a multiple of 4.</summary>
    public int SliceSize { get; init; } = 4000;

    /// <summary>Names that are not ASCII stand in packets of their own, behind all others, and with '_' in the descriptions.</summary>
    public bool UnicodePackets { get; init; }

    /// <summary>
    /// As ParPar writes volumes: what describes the set stands after each slice again, with comments and packets of no known type between.
    /// </summary>
    public bool RepeatsDescriptions { get; init; }

    /// <summary>Writes the main packet as one of a packed set.</summary>
    public bool IsPacked { get; init; }

    /// <summary>Adds a file that the set protects.</summary>
    public Par2Writer Add(string name, byte[] bytes)
    {
        _files.Add((name, bytes));
        return this;
    }

    /// <summary>The small file of a set: all descriptions, no slices.</summary>
    public byte[] Index() => Write(first: 0, slices: 0);

    /// <summary>A volume: slices first, and the descriptions behind them, as some programs write it.</summary>
    /// <param name="slices">How many.</param>
    /// <param name="first">The exponent of the first.</param>
    public byte[] Volume(int slices, int first = 0) => Write(first, slices);

    private byte[] Write(int first, int slices)
    {
        // By the specification the main packet lists the ids sorted, as numbers with the least significant byte first.
        var files = _files.Select(file => (Id: IdOf(file.Name, file.Bytes), file.Name, file.Bytes))
            .OrderBy(file => Convert.ToHexString([.. file.Id.AsEnumerable().Reverse()]), StringComparer.Ordinal).ToArray();
        byte[] main = [.. Number(SliceSize), .. BitConverter.GetBytes(files.Length), .. files.SelectMany(file => file.Id)];
        var set = MD5.HashData(main);
        using var output = new MemoryStream();
        for (var i = first; i < first + slices; i++)
        {
            output.Write(
                Packet(set, "PAR 2.0\0RecvSlic", [.. BitConverter.GetBytes(i), .. Recovery(files.Select(static file => file.Bytes), i)]));
            if (RepeatsDescriptions)
                Describe();
        }

        Describe();
        return output.ToArray();

        void Describe()
        {
            if (RepeatsDescriptions)
            {
                output.Write(Packet(set, "PAR 2.0\0CommASCI", Padded("made for a test"u8.ToArray())));
                output.Write(Packet(set, "PAR 2.0\0CommUni\0", [.. new byte[16], .. Padded(Encoding.Unicode.GetBytes("für einen Test"))]));
                output.Write(Packet(set, "PAR 2.0\0FutureXY", SeededBytes.Make(9, 40)));
                output.Write(Packet(set, "PAR 2.0\0RFSC\0\0\0\0", SeededBytes.Make(10, 36)));
            }

            output.Write(Packet(set, IsPacked ? "PAR 2.0\0PkdMain\0" : "PAR 2.0\0Main\0\0\0\0", main));
            foreach (var (id, name, bytes) in files)
            {
                output.Write(Packet(set, "PAR 2.0\0FileDesc", [.. id, .. MD5.HashData(bytes), .. MD5.HashData(Head(bytes)),
                    .. Number(bytes.Length), .. Padded(Encoding.UTF8.GetBytes(UnicodePackets ? Plain(name) : name))]));
                output.Write(Packet(set, "PAR 2.0\0IFSC\0\0\0\0", [.. id, .. Checksums(bytes)]));
            }

            foreach (var (id, name, _) in files.Where(file => UnicodePackets && Plain(file.Name) != file.Name))
                output.Write(Packet(set, "PAR 2.0\0UniFileN", [.. id, .. Padded(Encoding.Unicode.GetBytes(name))]));
            output.Write(Packet(set, "PAR 2.0\0Creator\0", Padded("NzbDav.Fakes"u8.ToArray())));
        }
    }

    private static string Plain(string name) => new([.. name.Select(static letter => char.IsAscii(letter) ? letter : '_')]);

    /// <summary>
    /// The sum of all input slices, each times its constant to the power of the exponent, in GF(2^16) with the polynomial 0x1100B.
    /// </summary>
    private byte[] Recovery(IEnumerable<byte[]> files, int exponent)
    {
        var slice = new byte[SliceSize];
        var log = 0;
        foreach (var bytes in files)
        {
            for (var at = 0; at < bytes.Length; at += SliceSize)
            {
                // Constants are powers of two whose exponents have no divisor in common with 65,535.
                do
                    log++;
                while (log % 3 == 0 || log % 5 == 0 || log % 17 == 0 || log % 257 == 0);
                var factor = PowerOfTwo((long)log * exponent % 65_535);
                for (var word = 0; word < SliceSize && at + word < bytes.Length; word += 2)
                {
                    var value = bytes[at + word] | (at + word + 1 < bytes.Length ? bytes[at + word + 1] << 8 : 0);
                    var product = Multiply(value, factor);
                    slice[word] ^= (byte)product;
                    slice[word + 1] ^= (byte)(product >> 8);
                }
            }
        }

        return slice;
    }

    private static int PowerOfTwo(long exponent) => Field.Power[exponent % 65_535];

    private static int Multiply(int a, int b) => a == 0 || b == 0 ? 0 : Field.Power[Field.Log[a] + Field.Log[b]];

    private static byte[] IdOf(string name, byte[] bytes) =>
        MD5.HashData([.. MD5.HashData(Head(bytes)), .. Number(bytes.Length), .. Encoding.UTF8.GetBytes(name)]);

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
            all.Write(BitConverter.GetBytes(ArchiveBytes.Crc32(slice)));
        }

        return all.ToArray();
    }

    /// <summary>The field's powers of two, twice over, and their logarithms.</summary>
    private static class Field
    {
        public static readonly ushort[] Power = new ushort[2 * 65_535];
        public static readonly int[] Log = new int[65_536];

        static Field()
        {
            var value = 1;
            for (var exponent = 0; exponent < 65_535; exponent++)
            {
                Power[exponent] = Power[exponent + 65_535] = (ushort)value;
                Log[value] = exponent;
                value = (value << 1) ^ ((value & 0x8000) != 0 ? 0x1100B : 0);
            }
        }
    }
}
