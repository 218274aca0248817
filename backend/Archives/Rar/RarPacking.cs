namespace NzbDav.Archives.Rar;

/// <summary>Tells apart two files of the same name and size: by date or by the salt of the key.</summary>
internal sealed record RarPacking(DateTimeOffset? Modified, string? Salt)
{
    /// <summary>Of the file that continues in the volume after this one; null if none does.</summary>
    public static RarPacking? Behind(RarVolume volume) => volume.SplitAfter ? Of(volume.Files[^1]) : null;

    /// <summary>Of the file that this volume continues; null if it continues none.</summary>
    public static RarPacking? Of(RarVolume volume) => volume.SplitBefore ? Of(volume.Files[0]) : null;

    private static RarPacking Of(RarFile file) => new(file.Modified, file.Encryption is { } encryption ? Convert.ToHexString(encryption.Salt.Span) : null);
}
