using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace NzbDav.Usenet.Yenc;

/// <summary>
/// Decodes 64 bytes at a time. Leaves the rare cases to <see cref="ScalarYencDecoder"/>: the first and last bytes of a source, control
/// lines, the terminator, and <c>==</c>, which no encoder writes.
/// </summary>
/// <remarks>
/// Blocks carry no state except the source: the two bytes before a position determine the meaning of the next one. This holds because the
/// scalar decoder always processes the first two bytes, and no block passes a position where two bytes do not suffice.
/// </remarks>
internal static class VectorYencDecoder
{
    private const int Block = 64;

    /// <summary>Bytes after a block that must be readable: they decide the meaning of a dot or <c>=</c> at its end.</summary>
    private const int LookAhead = 2;

    /// <summary>Bytes before a position that must be known, because they determine the state there.</summary>
    private const int LookBack = 2;

    /// <summary>Bytes left to the scalar decoder after a <c>==</c>: an article with one usually has many.</summary>
    private const int ScalarRun = 64;

    /// <inheritdoc cref="YencDecoder.Decode"/>
    /// <typeparam name="TBlock">The instruction set; it must be supported.</typeparam>
    public static YencScan Decode<TBlock>(
        ref YencDecoderState state, ReadOnlySpan<byte> source, Span<byte> destination, out int consumed, out int written)
        where TBlock : struct, IYencBlock
    {
        Debug.Assert(TBlock.IsSupported);
        consumed = written = 0;
        var scalarRun = LookBack;
        while (source.Length - consumed >= scalarRun + Block + LookAhead && destination.Length - written >= scalarRun + Block)
        {
            var scan = DecodeScalar(ref state, source.Slice(consumed, scalarRun), destination, ref consumed, ref written);
            while (scan == YencScan.NeedMore && !FollowsFromBytes(state, source[consumed - 1]) && consumed < source.Length)
                scan = DecodeScalar(ref state, source.Slice(consumed, 1), destination, ref consumed, ref written);
            if (scan != YencScan.NeedMore)
                return scan;

            var more = DecodeBlocks<TBlock>(source, destination, ref consumed, ref written);
            state = StateAt(source, consumed);
            if (!more)
                break;
            scalarRun = ScalarRun;
        }

        return DecodeScalar(ref state, source[consumed..], destination, ref consumed, ref written);
    }

    /// <summary>Decodes blocks while source and destination have room for them.</summary>
    /// <returns>True if it stopped at <c>==</c>, after which blocks can continue; false at the end, a control line or the
    /// terminator.</returns>
    private static bool DecodeBlocks<TBlock>(ReadOnlySpan<byte> source, Span<byte> destination, ref int consumed, ref int written)
        where TBlock : struct, IYencBlock
    {
        ref var from = ref MemoryMarshal.GetReference(source);
        ref var to = ref MemoryMarshal.GetReference(destination);
        nint read = consumed;
        nint write = written;
        nint lastRead = source.Length - Block - LookAhead;
        nint lastWrite = destination.Length - Block;
        var doubled = false;
        while (read <= lastRead && write <= lastWrite)
        {
            ref var block = ref Unsafe.Add(ref from, read);
            var dropped = TBlock.Decode(in block, ref Unsafe.Add(ref to, write), out var suspects);
            if (suspects == 0)
            {
                read += Block;
                write += Block - BitOperations.PopCount(dropped);
                continue;
            }

            var verdict = Examine(ref block, suspects, out var length);
            write += length - BitOperations.PopCount(length == Block ? dropped : dropped & ((1UL << length) - 1));
            read += length;
            if (verdict == Suspect.StuffedDot)
            {
                read++;
            }
            else if (verdict != Suspect.Harmless)
            {
                doubled = verdict == Suspect.DoubleEscape;
                break;
            }
        }

        consumed = (int)read;
        written = (int)write;
        return doubled;
    }

    /// <summary>Classifies the first suspect that is not harmless.</summary>
    /// <param name="block">The block; two bytes on either side of it are readable.</param>
    /// <param name="suspects">The suspects marked by the block's decoder.</param>
    /// <param name="length">Number of bytes before the suspect; the whole block if there is none.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Suspect Examine(ref byte block, ulong suspects, out int length)
    {
        for (; suspects != 0; suspects &= suspects - 1)
        {
            length = BitOperations.TrailingZeroCount(suspects);
            ref var at = ref Unsafe.Add(ref block, length);
            var before = Unsafe.Subtract(ref at, 1);
            var after = Unsafe.Add(ref at, 1);
            if (at == '=')
            {
                if (before == '=')
                    return Suspect.DoubleEscape;
                if (after == 'y')
                    return Suspect.Line;
            }
            else if (before == '\n' && Unsafe.Subtract(ref at, 2) == '\r')
            {
                return (after, Unsafe.Add(ref at, 2)) is ((byte)'\r', (byte)'\n') or ((byte)'=', (byte)'y')
                    ? Suspect.Line : Suspect.StuffedDot;
            }
        }

        length = Block;
        return Suspect.Harmless;
    }

    /// <summary>
    /// True when the bytes before a position determine the state there: a <c>=</c> must be an escape, and no dot at the start of a line may
    /// be pending.
    /// </summary>
    private static bool FollowsFromBytes(YencDecoderState state, byte before) => state switch
    {
        YencDecoderState.LineEscape or YencDecoderState.Dot or YencDecoderState.DotCr => false,
        YencDecoderState.Escape => true,
        _ => before != '=',
    };

    private static YencDecoderState StateAt(ReadOnlySpan<byte> source, int position) => source[position - 1] switch
    {
        (byte)'=' => YencDecoderState.Escape,
        (byte)'\r' => YencDecoderState.Cr,
        (byte)'\n' => source[position - 2] == '\r' ? YencDecoderState.LineStart : YencDecoderState.BareLineStart,
        _ => YencDecoderState.Data,
    };

    private static YencScan DecodeScalar(
        ref YencDecoderState state, ReadOnlySpan<byte> source, Span<byte> destination, ref int consumed, ref int written)
    {
        var scan = ScalarYencDecoder.Decode(ref state, source, destination[written..], out var read, out var write);
        consumed += read;
        written += write;
        return scan;
    }

    private enum Suspect
    {
        Harmless,
        StuffedDot,
        DoubleEscape,

        /// <summary>A control line or the terminator.</summary>
        Line,
    }
}
