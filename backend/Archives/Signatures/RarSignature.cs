namespace NzbDav.Archives.Signatures;

/// <summary>The bytes that a RAR archive begins with.</summary>
internal static class RarSignature
{
    /// <summary>Bytes that are enough to distinguish both formats.</summary>
    public const int Length = 8;

    /// <summary>RAR 1.5 to 4.x, 7 bytes.</summary>
    public static ReadOnlySpan<byte> Rar4 => [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x00];

    /// <summary>RAR 5.0 and later, 8 bytes.</summary>
    public static ReadOnlySpan<byte> Rar5 => [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x01, 0x00];

    /// <summary>The bytes that both formats share.</summary>
    public static ReadOnlySpan<byte> Common => Rar4[..6];
}
