using System.Buffers.Binary;
using System.Text;

namespace NzbDav.Archives.Discs;

/// <summary>Assembles a file's name from its system use areas (IEEE P1281 and P1282).</summary>
internal sealed class RockRidgeName
{
    private List<byte>? _name;

    /// <summary>The name so far; null when there is none.</summary>
    public string? Name => _name is null ? null : Encoding.UTF8.GetString([.. _name]);

    /// <summary>Reads an area; returns where it continues, or null.</summary>
    public (long Block, int Offset, int Length)? Read(ReadOnlySpan<byte> area)
    {
        (long, int, int)? next = null;
        while (area.Length >= 4 && area[2] >= 4 && area[2] <= area.Length)
        {
            var entry = area[..area[2]];
            if (entry[..2].SequenceEqual("CE"u8) && entry.Length >= 28)
            {
                // P1281, 5.1: block, offset and length, each in both byte orders.
                var (offset, length) = (BinaryPrimitives.ReadUInt32LittleEndian(entry[12..]), BinaryPrimitives.ReadUInt32LittleEndian(entry[20..]));
                next = (BinaryPrimitives.ReadUInt32LittleEndian(entry[4..]), (int)Math.Min(offset, int.MaxValue), (int)Math.Min(length, int.MaxValue));
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
