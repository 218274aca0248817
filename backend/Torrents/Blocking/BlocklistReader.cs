using System.Buffers.Binary;
using System.Globalization;
using System.IO.Compression;
using System.Net;
using System.Text;

namespace NzbDav.Torrents.Blocking;

/// <summary>
/// Reads lists of addresses: PeerGuardian's <c>name:first-last</c> (.p2p), eMule's <c>first - last , level , name</c> (.dat; a level above
/// 127 does not block), CIDR and single addresses. Lines of all kinds may be mixed, and the file may be gzipped.
/// </summary>
internal static class BlocklistReader
{
    /// <summary>Most ranges that are read: 16 MB of IPv4 ranges, or 64 MB of IPv6 ones. The longest lists in use have 500,000.</summary>
    public const int MostRanges = 2_000_000;

    /// <summary>Longest line in characters. A small compressed file may contain an endless line.</summary>
    private const int MostLine = 4_096;

    private static readonly char[] Marks = ['#', ';'];

    /// <summary>Reads a list.</summary>
    /// <param name="file">Read to its end; not closed.</param>
    /// <returns>The ranges, the number of malformed lines and the first of them.</returns>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="InvalidDataException">The file has a gzip header but is not gzip, has too many ranges, or a line that is too
    /// long.</exception>
    public static (AddressRanges Ranges, int Malformed, string? First) Read(Stream file)
    {
        var head = new byte[2];
        var headLength = file.ReadAtLeast(head, 2, throwOnEndOfStream: false);
        file.Position = 0;
        using var unpacked = headLength == 2 && head[0] == 0x1F && head[1] == 0x8B
            ? new GZipStream(file, CompressionMode.Decompress, leaveOpen: true) : null;

        // Names in the lists may have any encoding. Everything else is ASCII.
        using var reader = new StreamReader(
            unpacked ?? file, Encoding.Latin1, detectEncodingFromByteOrderMarks: true, bufferSize: 64 << 10, leaveOpen: true);
        var four = new List<(uint, uint)>();
        var six = new List<(UInt128, UInt128)>();
        var (malformed, line) = (0, 0);
        string? first = null;
        while (ReadLine(reader) is { } text)
        {
            line++;
            var trimmed = text.AsSpan().Trim();
            if (trimmed.IsEmpty || trimmed.IndexOfAny(Marks) == 0 || trimmed.StartsWith("//", StringComparison.Ordinal))
                continue;
            if (!TryParseLine(trimmed, four, six))
            {
                malformed++;
                first ??= string.Create(CultureInfo.InvariantCulture, $"line {line}: {trimmed[..Math.Min(trimmed.Length, 100)]}");
            }

            if (four.Count + six.Count > MostRanges)
                throw new InvalidDataException($"it has more than {MostRanges:N0} ranges");
        }

        return (new AddressRanges(four, six), malformed, first);
    }

    private static string? ReadLine(StreamReader reader)
    {
        var line = new StringBuilder();
        for (int next; (next = reader.Read()) >= 0;)
        {
            if (next == '\n')
                return line.ToString();
            if (line.Length == MostLine)
                throw new InvalidDataException($"it has a line of more than {MostLine} characters");
            line.Append((char)next);
        }

        return line.Length > 0 ? line.ToString() : null;
    }

    private static bool TryParseLine(ReadOnlySpan<char> line, List<(uint, uint)> four, List<(UInt128, UInt128)> six)
    {
        if (TryNetwork(line, four, six))
            return true;

        // Example: 001.009.096.105 - 001.009.096.105 , 000 , Some organisation
        var comma = line.IndexOf(',');
        if (comma > 0 && TryRange(line[..comma], four, six,
            isBlocked: !int.TryParse(Field(line[(comma + 1)..]), CultureInfo.InvariantCulture, out var level) || level <= 127))
            return true;

        // Example: Some organisation:1.9.96.105-1.9.96.106. The name may contain colons, and so does an IPv6 address.
        for (var colon = line.IndexOf(':'); colon >= 0;)
        {
            if (TryRange(line[(colon + 1)..], four, six, isBlocked: true))
                return true;
            var next = line[(colon + 1)..].IndexOf(':');
            colon = next < 0 ? -1 : colon + 1 + next;
        }

        return TryRange(line, four, six, isBlocked: true);
    }

    private static ReadOnlySpan<char> Field(ReadOnlySpan<char> rest)
    {
        var comma = rest.IndexOf(',');
        return (comma < 0 ? rest : rest[..comma]).Trim();
    }

    /// <summary>Parses 192.0.2.0/24, 2001:db8::/32 or 192.0.2.1.</summary>
    private static bool TryNetwork(ReadOnlySpan<char> text, List<(uint, uint)> four, List<(UInt128, UInt128)> six)
    {
        var slash = text.IndexOf('/');
        if (!TryAddress(slash < 0 ? text : text[..slash], out var number, out var isFour))
            return false;
        var bits = isFour ? 32 : 128;
        var prefix = bits;
        if (slash >= 0
            && (!int.TryParse(text[(slash + 1)..].Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out prefix) || prefix > bits))
            return false;
        var host = bits - prefix;
        var mask = host == 128 ? UInt128.MaxValue : (UInt128.One << host) - 1;
        Add(number & ~mask, number | mask, isFour, four, six);
        return true;
    }

    private static bool TryRange(ReadOnlySpan<char> text, List<(uint, uint)> four, List<(UInt128, UInt128)> six, bool isBlocked)
    {
        var dash = text.IndexOf('-');
        if (dash < 0 || !TryAddress(text[..dash], out var first, out var isFour)
            || !TryAddress(text[(dash + 1)..], out var last, out var isToo) || isFour != isToo || first > last)
            return false;
        if (isBlocked)
            Add(first, last, isFour, four, six);
        return true;
    }

    private static void Add(UInt128 first, UInt128 last, bool isFour, List<(uint, uint)> four, List<(UInt128, UInt128)> six)
    {
        if (isFour)
            four.Add(((uint)first, (uint)last));
        else
            six.Add((first, last));
    }

    private static bool TryAddress(ReadOnlySpan<char> text, out UInt128 number, out bool isFour)
    {
        text = text.Trim();
        isFour = text.Contains('.') && !text.Contains(':');
        number = 0;
        if (isFour)
            return TryFour(text, out number);
        if (!text.Contains(':') || !IPAddress.TryParse(text, out var address))
            return false;
        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out _);
        number = BinaryPrimitives.ReadUInt128BigEndian(bytes);
        return true;
    }

    /// <summary>Parses decimal numbers with leading zeros, as in .dat files. .NET would read such numbers as octal.</summary>
    private static bool TryFour(ReadOnlySpan<char> text, out UInt128 number)
    {
        number = 0;
        var parts = 0;
        foreach (var range in text.Split('.'))
        {
            if (++parts > 4 || !byte.TryParse(text[range], NumberStyles.None, CultureInfo.InvariantCulture, out var part))
                return false;
            number = (number << 8) | part;
        }

        return parts == 4;
    }
}
