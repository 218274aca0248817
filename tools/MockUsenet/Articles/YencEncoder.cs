using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace NzbDav.MockUsenet.Articles;

/// <summary>Encodes the data lines of a yEnc body (yEnc draft 1.3), dot-stuffed for NNTP (RFC 3977, section 3.1.1). Pure.</summary>
internal static class YencEncoder
{
    /// <summary>Encoded characters in a full line; an escape in the last column makes 129.</summary>
    public const int LineLength = 128;

    private const byte Escape = (byte)'=';

    /// <summary>Largest output of <see cref="Encode"/>: every byte escaped, every line stuffed, and the overrun of one vector.</summary>
    public static int MaxLength(int input) => (input * 2) + (((input / (LineLength / 2)) + 2) * 3) + Vector128<byte>.Count;

    /// <summary>
    /// Writes <paramref name="input"/> as lines that end in CRLF and returns the bytes written. NUL, LF, CR and '=' are escaped
    /// everywhere, TAB and SPACE at either end of a line; a '.' at a line's start is doubled and not counted.
    /// </summary>
    public static int Encode(ReadOnlySpan<byte> input, Span<byte> output)
    {
        if (output.Length < MaxLength(input.Length))
            throw new ArgumentException("Too small for the worst case.", nameof(output));
        var read = 0;
        var written = 0;
        while (read < input.Length)
        {
            var first = (byte)(input[read] + 42);
            if (first == '.')
                output[written++] = (byte)'.';
            var column = Put(output, ref written, first, edge: true);
            read++;
            column += Middle(input, ref read, output, ref written, column);
            if (column < LineLength && read < input.Length)
                Put(output, ref written, (byte)(input[read++] + 42), edge: true);
            output[written++] = (byte)'\r';
            output[written++] = (byte)'\n';
        }

        return written;
    }

    /// <summary>Writes up to the column before the last, or up to the byte before the last; returns the number of columns added.</summary>
    private static int Middle(ReadOnlySpan<byte> input, ref int read, Span<byte> output, ref int written, int column)
    {
        ref var source = ref MemoryMarshal.GetReference(input);
        ref var target = ref MemoryMarshal.GetReference(output);
        var (start, i, o) = (column, read, written);
        while (column < LineLength - 1 && i < input.Length - 1)
        {
            if (i + Vector128<byte>.Count > input.Length)
            {
                column += Put(output, ref o, (byte)(input[i++] + 42), edge: false);
                continue;
            }

            // All sixteen bytes are stored; those after the first critical one, or beyond the line, are overwritten later.
            var shifted = Vector128.LoadUnsafe(ref source, (nuint)i) + Vector128.Create((byte)42);
            shifted.StoreUnsafe(ref target, (nuint)o);
            var critical = Vector128.Equals(shifted, Vector128<byte>.Zero) | Vector128.Equals(shifted, Vector128.Create((byte)'\n'))
                | Vector128.Equals(shifted, Vector128.Create((byte)'\r')) | Vector128.Equals(shifted, Vector128.Create(Escape));
            var mask = critical.ExtractMostSignificantBits();
            var room = Math.Min(LineLength - 1 - column, input.Length - 1 - i);
            var plain = Math.Min(mask == 0 ? Vector128<byte>.Count : BitOperations.TrailingZeroCount(mask), room);
            i += plain;
            o += plain;
            column += plain;
            if (plain < room && plain < Vector128<byte>.Count)
                column += Put(output, ref o, (byte)(input[i++] + 42), edge: false);
        }

        (read, written) = (i, o);
        return column - start;
    }

    private static int Put(Span<byte> output, ref int written, byte value, bool edge)
    {
        if (value is 0 or (byte)'\n' or (byte)'\r' or Escape || (edge && value is (byte)'\t' or (byte)' '))
        {
            output[written++] = Escape;
            output[written++] = (byte)(value + 64);
            return 2;
        }

        output[written++] = value;
        return 1;
    }
}
