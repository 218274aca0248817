namespace NzbDav.Library.Media;

/// <summary>The head of a box (ISO/IEC 14496-12, 4.2).</summary>
/// <param name="Type">Four characters.</param>
/// <param name="Header">Bytes before its data.</param>
/// <param name="Size">Bytes, those of the header included; 0: to the end of the file.</param>
internal readonly record struct Mp4Box(string Type, int Header, long Size)
{
    /// <summary>Bytes that a header takes at most.</summary>
    public const int MostHeader = 16;

    /// <summary>Null if it is cut or none.</summary>
    public static Mp4Box? TryRead(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < 8)
            return null;
        var type = Bits.FourCc(bytes, 4);
        long size = Bits.U32(bytes, 0);
        if (size != 1)
            return size is 0 or >= 8 ? new Mp4Box(type, 8, size) : null;
        if (bytes.Length < 16 || Bits.U64(bytes, 8) is < 16 or > long.MaxValue / 2)
            return null;
        return new Mp4Box(type, 16, (long)Bits.U64(bytes, 8));
    }

    /// <summary>Cuts the next whole box off a run of them.</summary>
    public static bool TryNext(scoped ref ReadOnlySpan<byte> rest, out string type, out ReadOnlySpan<byte> data)
    {
        type = "";
        data = default;
        if (TryRead(rest) is not { } box)
            return false;
        var size = box.Size == 0 ? rest.Length : box.Size;
        if (size > rest.Length)
            return false;
        type = box.Type;
        data = rest[box.Header..(int)size];
        rest = rest[(int)size..];
        return true;
    }
}
