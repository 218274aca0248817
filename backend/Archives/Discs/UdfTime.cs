using System.Buffers.Binary;

namespace NzbDav.Archives.Discs;

/// <summary>Timestamps (ECMA-167, 1/7.3).</summary>
internal static class UdfTime
{
    /// <summary>"No zone specified."</summary>
    private const int NoZone = -2047;

    /// <summary>Reads a timestamp; null if it is not a valid date.</summary>
    public static DateTimeOffset? Read(ReadOnlySpan<byte> bytes)
    {
        // The low 12 bits: minutes from Greenwich, signed.
        var zone = (BinaryPrimitives.ReadInt16LittleEndian(bytes) << 20) >> 20;
        int year = BinaryPrimitives.ReadInt16LittleEndian(bytes[2..]), month = bytes[4], day = bytes[5];
        if (year is < 2 or > 9998 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month) || bytes[6] > 23 || bytes[7] > 59 || bytes[8] > 59)
            return null;
        var time = new DateTimeOffset(year, month, day, bytes[6], bytes[7], bytes[8], TimeSpan.Zero);
        return zone is NoZone or < -1440 or > 1440 ? time : time.AddMinutes(-zone);
    }
}
