using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Mutating;

/// <summary>
/// Mutates inputs: bits, lengths, counts, numbers in digits, whole blocks. Draws from one <see cref="Random"/>, so a seed repeats its work.
/// </summary>
/// <param name="target">Supplies the words and repairs checksums.</param>
/// <param name="random">The only source of random numbers.</param>
internal sealed class Mutator(FuzzTarget target, Random random)
{
    private const int MostChanges = 8;
    private const int LongestBlock = 512;

    /// <summary>Inputs of at least this many bytes contain long runs of zeros: disc images.</summary>
    private const int Large = 64 << 10;

    /// <summary>Values at which lengths and counts overflow.</summary>
    private static readonly long[] Edges =
    [
        0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 256, 511, 512, 1023, 1024, 4095, 4096, 32_767, 32_768, 65_535,
        65_536,
        0x7FFFFF, 0x800000, 0xFFFFFF, 0x1000000, int.MaxValue - 1, int.MaxValue, 1L << 31, (1L << 31) + 1, uint.MaxValue, 1L << 32,
        1L << 40, long.MaxValue, long.MinValue, -1, -2, -128, -32_768, int.MinValue,
    ];

    private static readonly string[] Numbers =
        ["0", "1", "-1", "00", "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
            "18446744073709551616", "99999999999999999999999999", "1e9", "0x10", ""];

    /// <summary>
    /// Makes a mutated input from one of the corpus, sometimes with parts of another, and usually with repaired checksums.
    /// </summary>
    /// <param name="corpus">At least one input.</param>
    public byte[] Make(IReadOnlyList<byte[]> corpus)
    {
        // Half of the mutations start from the newest inputs, which have been mutated least.
        var fresh = Math.Max(1, corpus.Count / 8);
        var picked = random.Next(2) == 0 ? corpus[^(1 + random.Next(fresh))] : corpus[random.Next(corpus.Count)];
        var bytes = new List<byte>(picked);
        for (var changes = 1 + random.Next(random.Next(1, MostChanges + 1)); changes > 0; changes--)
            Change(bytes, corpus);
        if (bytes.Count > target.Longest)
            bytes.RemoveRange(target.Longest, bytes.Count - target.Longest);
        var made = bytes.ToArray();
        if (random.Next(4) != 0)
            target.Mend(made, random);
        return made;
    }

    private void Change(List<byte> bytes, IReadOnlyList<byte[]> corpus)
    {
        if (bytes.Count == 0)
        {
            bytes.AddRange(target.Words.Count > 0 ? target.Words[random.Next(target.Words.Count)] : [(byte)random.Next(256)]);
            return;
        }

        switch (random.Next(16))
        {
            case 0 or 1:
                bytes[Place(bytes)] ^= (byte)(1 << random.Next(8));
                break;
            case 2:
                bytes[Place(bytes)] = (byte)random.Next(256);
                break;
            case 3:
                bytes[Place(bytes)] += (byte)random.Next(-20, 21);
                break;
            case 4:
                bytes[Place(bytes)] = (byte)Edges[random.Next(Edges.Length)];
                break;
            case 5 or 6:
                Field(bytes);
                break;
            case 7:
                Digits(bytes);
                break;
            case 8:
                Remove(bytes, Place(bytes), Length());
                break;
            case 9:
                Insert(bytes, bytes, Place(bytes));
                break;
            case 10 or 11:
                Word(bytes);
                break;
            case 12:
                Insert(bytes, corpus[random.Next(corpus.Count)], Place(bytes));
                break;
            case 13:
                Overwrite(bytes, corpus[random.Next(corpus.Count)]);
                break;
            case 14:
                if (random.Next(4) == 0)
                    Remove(bytes, Place(bytes), int.MaxValue);
                else
                    Swap(bytes);
                break;
            default:
                bytes.InsertRange(Place(bytes), Enumerable.Repeat((byte)random.Next(256), Length()));
                break;
        }
    }

    /// <summary>
    /// Chooses a position. Most parsed bytes are at the beginning, some at the end, and hardly any in long runs of zeros.
    /// </summary>
    private int Place(List<byte> bytes)
    {
        var place = random.Next(6) switch
        {
            0 or 1 => random.Next(Math.Min(bytes.Count, 300)),
            2 => bytes.Count - 1 - random.Next(Math.Min(bytes.Count, 200)),
            _ => random.Next(bytes.Count),
        };
        if (bytes.Count < Large || bytes[place] != 0 || random.Next(4) == 0)
            return place;
        var rest = CollectionsMarshal.AsSpan(bytes)[place..];
        return rest.IndexOfAnyExcept((byte)0) is >= 0 and var zeros ? Math.Min(bytes.Count - 1, place + zeros + random.Next(64)) : place;
    }

    /// <summary>A random length, more often short than long.</summary>
    private int Length() => 1 + random.Next(1 + random.Next(1 + random.Next(LongestBlock)));

    /// <summary>
    /// Overwrites a field of 1, 2, 4 or 8 bytes in either byte order: with an edge value, or a number near the present value or near the
    /// rest of the input's length.
    /// </summary>
    private void Field(List<byte> bytes)
    {
        var width = 1 << random.Next(4);
        if (bytes.Count < width)
            return;
        var at = Math.Min(Place(bytes), bytes.Count - width);
        Span<byte> field = stackalloc byte[8];
        field.Clear();
        var isBig = random.Next(2) == 0;
        for (var i = 0; i < width; i++)
            field[isBig ? 7 - i : i] = bytes[isBig ? at + width - 1 - i : at + i];
        var now = isBig ? BinaryPrimitives.ReadInt64BigEndian(field) : BinaryPrimitives.ReadInt64LittleEndian(field);
        var value = random.Next(4) switch
        {
            0 => now + random.Next(-3, 4),
            1 => bytes.Count - at + random.Next(-9, 10),
            2 => now * 2,
            _ => Edges[random.Next(Edges.Length)],
        };
        BinaryPrimitives.WriteInt64LittleEndian(field, value);
        for (var i = 0; i < width; i++)
            bytes[isBig ? at + width - 1 - i : at + i] = field[i];
    }

    /// <summary>Replaces a number that is written in digits.</summary>
    private void Digits(List<byte> bytes)
    {
        var at = Place(bytes);
        while (at < bytes.Count && !char.IsAsciiDigit((char)bytes[at]))
            at++;
        var end = at;
        while (end < bytes.Count && char.IsAsciiDigit((char)bytes[end]))
            end++;
        if (end == at)
            return;
        var text = Encoding.ASCII.GetString(bytes.Slice(at, Math.Min(end - at, 18)).ToArray());
        var near = (long.Parse(text, CultureInfo.InvariantCulture) + random.Next(-2, 3)).ToString(CultureInfo.InvariantCulture);
        var other = random.Next(2) == 0 ? near : Numbers[random.Next(Numbers.Length)];
        bytes.RemoveRange(at, end - at);
        bytes.InsertRange(at, Encoding.ASCII.GetBytes(other));
    }

    private void Word(List<byte> bytes)
    {
        if (target.Words.Count == 0)
            return;
        var word = target.Words[random.Next(target.Words.Count)];
        var at = Place(bytes);
        if (random.Next(2) == 0)
            Remove(bytes, at, word.Length);
        bytes.InsertRange(at, word);
    }

    private void Insert(List<byte> bytes, IReadOnlyList<byte> from, int at)
    {
        if (from.Count == 0)
            return;
        var start = random.Next(from.Count);
        var block = from.Skip(start).Take(Math.Min(Length(), from.Count - start)).ToArray();
        for (var times = random.Next(8) == 0 ? random.Next(1, 30) : 1; times > 0 && bytes.Count <= target.Longest; times--)
            bytes.InsertRange(at, block);
    }

    private void Overwrite(List<byte> bytes, byte[] from)
    {
        if (from.Length == 0)
            return;
        var start = random.Next(from.Length);
        var at = Place(bytes);
        var count = Math.Min(Math.Min(Length(), from.Length - start), bytes.Count - at);
        for (var i = 0; i < count; i++)
            bytes[at + i] = from[start + i];
    }

    private void Swap(List<byte> bytes)
    {
        int one = Place(bytes), other = Place(bytes);
        (bytes[one], bytes[other]) = (bytes[other], bytes[one]);
    }

    private static void Remove(List<byte> bytes, int at, int count)
    {
        if (at < bytes.Count)
            bytes.RemoveRange(at, Math.Min(count, bytes.Count - at));
    }
}
