using System.Text;

namespace NzbDav.Fakes.Archives;

/// <summary>The headers of a RAR 5.0 set that holds one stored file of any size. The file's bytes are left to the caller, so that a set may
/// be larger than memory.</summary>
public static class LongRar5Set
{
    private const int Signature = 8;

    /// <summary>What stands before and behind the file's bytes in each volume, and where in the file they begin.</summary>
    /// <param name="path">The file in the set.</param>
    /// <param name="volumes">How many, at least 2.</param>
    /// <param name="volumeSize">Bytes of each volume; the last is full as well.</param>
    public static IReadOnlyList<(byte[] Front, byte[] Back, long Start, int Length)> Write(string path, int volumes, int volumeSize)
    {
        // The file's size stands in each header, and follows from the length of them all.
        var size = (long)volumes * volumeSize;
        for (long sum; (sum = Lay(path, volumes, volumeSize, size).Sum(volume => (long)volume.Length)) != size;)
            size = sum;
        return Lay(path, volumes, volumeSize, size);
    }

    private static List<(byte[] Front, byte[] Back, long Start, int Length)> Lay(string path, int volumes, int volumeSize, long size)
    {
        var set = new List<(byte[] Front, byte[] Back, long Start, int Length)>(volumes);
        long start = 0;
        for (var number = 0; number < volumes; number++)
        {
            var more = number < volumes - 1;
            var main = new ArchiveBytes().Vint(number == 0 ? 1UL : 3);
            if (number > 0)
                main.Vint((ulong)number);
            var before = Rar5Writer.Block(1, 0, main, [], -1);
            var back = Rar5Writer.Block(5, 0, new ArchiveBytes().Vint(more ? 1UL : 0), [], -1);
            var flags = (number > 0 ? 8 : 0) | (more ? 16 : 0);
            var length = volumeSize - Signature - before.Length - Header(path, size, flags, 0).Length - back.Length;
            byte[] front = [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x01, 0x00, .. before, .. Header(path, size, flags, length)];
            set.Add((front, back, start, length));
            start += length;
        }

        return set;
    }

    private static byte[] Header(string path, long size, int flags, int length)
    {
        var name = Encoding.UTF8.GetBytes(path);
        return Rar5Writer.Block(2, flags, new ArchiveBytes().Vint(2 | 4).Vint((ulong)size).Vint(0x81A4).U32(1_600_000_000).U32(0).Vint(0)
            .Vint(1).Vint((ulong)name.Length).Add(name), [], length);
    }
}
