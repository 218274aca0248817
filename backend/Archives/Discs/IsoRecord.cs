using System.Buffers.Binary;
using System.Text;

namespace NzbDav.Archives.Discs;

/// <summary>A directory record (ECMA-119, 9.1).</summary>
internal sealed class IsoRecord
{
    /// <summary>First logical block of its data.</summary>
    public required long Block { get; init; }

    public required long Length { get; init; }

    public required byte[] Name { get; init; }

    /// <summary>The system use area after the name, which Rock Ridge uses.</summary>
    public required byte[] SystemUse { get; init; }

    public bool IsDirectory { get; private init; }

    /// <summary>True for the "Multi-Extent" flag: the next record is the next section of the same file.</summary>
    public bool IsMultiExtent { get; private init; }

    public DateTimeOffset? Modified { get; private init; }

    /// <summary>Parses a record; null if it is shorter than its own lengths say.</summary>
    public static IsoRecord? Parse(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < 34 || bytes[0] < 34 || bytes[0] > bytes.Length)
            return null;
        int nameLength = bytes[32];
        if (33 + nameLength > bytes[0])
            return null;

        // 9.1.12: a name of even length is followed by a byte of padding.
        var use = 33 + nameLength + (nameLength % 2 == 0 ? 1 : 0);
        return new IsoRecord
        {
            // 9.1.2: extended attributes come first.
            Block = (long)BinaryPrimitives.ReadUInt32LittleEndian(bytes[2..]) + bytes[1],
            Length = BinaryPrimitives.ReadUInt32LittleEndian(bytes[10..]),
            Name = bytes.Slice(33, nameLength).ToArray(),
            SystemUse = use < bytes[0] ? bytes[use..bytes[0]].ToArray() : [],
            IsDirectory = (bytes[25] & 0x02) != 0,
            IsMultiExtent = (bytes[25] & 0x80) != 0,
            Modified = Date(bytes.Slice(18, 7)),
        };
    }

    // 9.1.5: years since 1900, month, day, hour, minute, second, quarters of an hour from Greenwich.
    private static DateTimeOffset? Date(ReadOnlySpan<byte> bytes)
    {
        int year = 1900 + bytes[0], month = bytes[1], day = bytes[2];
        if (month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month) || bytes[3] > 23 || bytes[4] > 59 || bytes[5] > 59)
            return null;
        var quarters = (sbyte)bytes[6];
        return new DateTimeOffset(year, month, day, bytes[3], bytes[4], bytes[5], TimeSpan.Zero)
            .AddMinutes(-15 * Math.Clamp((int)quarters, -48, 52));
    }
}

/// <summary>Assembles a file's name from its system use areas (IEEE P1281 and P1282).</summary>
internal sealed class RockRidgeName
{
    private List<byte>? _name;

    /// <summary>The name so far; null if there is none.</summary>
    public string? Name => _name is null ? null : Encoding.UTF8.GetString([.. _name]);

    /// <summary>Reads an area. Returns the position of its continuation, or null.</summary>
    public (long Block, int Offset, int Length)? Read(ReadOnlySpan<byte> area)
    {
        (long, int, int)? next = null;
        while (area.Length >= 4 && area[2] >= 4 && area[2] <= area.Length)
        {
            var entry = area[..area[2]];
            if (entry[..2].SequenceEqual("CE"u8) && entry.Length >= 28)
            {
                // P1281, 5.1: block, offset and length, each in both byte orders.
                var (offset, length) =
                    (BinaryPrimitives.ReadUInt32LittleEndian(entry[12..]), BinaryPrimitives.ReadUInt32LittleEndian(entry[20..]));
                next = (BinaryPrimitives.ReadUInt32LittleEndian(entry[4..]), (int)Math.Min(offset, int.MaxValue),
                    (int)Math.Min(length, int.MaxValue));
            }
            else if (entry[..2].SequenceEqual("NM"u8) && entry.Length >= 5 && (entry[4] & 0x06) == 0)
            {
                // P1282, 4.1.4: flags (1 the name continues, 2 "." and 4 ".."), then a part of the name.
                (_name ??= []).AddRange(entry[5..]);
            }
            else if (entry[..2].SequenceEqual("ST"u8))
            {
                break;
            }

            area = area[entry.Length..];
        }

        return next;
    }
}
