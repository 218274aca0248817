using System.Buffers.Binary;
using System.Text;
using NzbDav.Fakes;

namespace NzbDav.Import.Tests;

/// <summary>Films that are containers on the outside and noise inside.</summary>
internal static class Containers
{
    /// <summary>Bytes before the first cluster of <see cref="Matroska"/>.</summary>
    public const int MatroskaHead = 5 + 12 + 26 + 20;

    /// <summary>Bytes of the cues at the end of <see cref="Matroska"/>.</summary>
    public const int MatroskaCues = 20_000;

    /// <summary>A head that names the cues at the end, and one cluster between them.</summary>
    public static byte[] Matroska(int seed, int length)
    {
        var film = SeededBytes.Make(seed, length);
        var cues = length - MatroskaCues;
        byte[] head =
        [
            0x1A, 0x45, 0xDF, 0xA3, 0x80, // EBML, empty
            0x18, 0x53, 0x80, 0x67, 0x01, .. Big(length - 17, 7), // Segment
            // SeekHead: Cues
            0x11, 0x4D, 0x9B, 0x74, 0x95, 0x4D, 0xBB, 0x92, 0x53, 0xAB, 0x84, 0x1C, 0x53, 0xBB, 0x6B, 0x53, 0xAC, 0x88,
                .. Big(cues - 17, 8),
            0xEC, 0x92, .. new byte[18], // Void
        ];
        head.CopyTo(film, 0);
        ((byte[])[0x1F, 0x43, 0xB6, 0x75, 0x01, .. Big(cues - MatroskaHead - 12, 7)]).CopyTo(film, MatroskaHead);
        ((byte[])[0x1C, 0x53, 0xBB, 0x6B, 0x01, .. Big(MatroskaCues - 12, 7)]).CopyTo(film, cues);
        return film;
    }

    /// <summary>Packets of noise, with a time stamp of four bytes before each where they have 192.</summary>
    public static byte[] Transport(int seed, int length, int packet)
    {
        var film = SeededBytes.Make(seed, length);
        for (var at = packet - 188; at < length; at += packet)
            film[at] = 0x47;
        return film;
    }

    /// <summary>ftyp, mdat, and moov of 20,000 bytes at the end.</summary>
    public static byte[] Mp4(int seed, int length)
    {
        var film = SeededBytes.Make(seed, length);
        Box(0, 16, "ftyp");
        Box(16, length - 16 - 20_000, "mdat");
        Box(length - 20_000, 20_000, "moov");
        return film;

        void Box(int at, int size, string type)
        {
            BinaryPrimitives.WriteInt32BigEndian(film.AsSpan(at), size);
            Encoding.ASCII.GetBytes(type).CopyTo(film, at + 4);
        }
    }

    private static byte[] Big(long value, int count)
    {
        var bytes = new byte[8];
        BinaryPrimitives.WriteInt64BigEndian(bytes, value);
        return bytes[^count..];
    }
}
