namespace NzbDav.Archives.Rar;

/// <summary>The file that continues across a volume boundary: equal for both volumes. Default if none does.</summary>
internal readonly record struct RarContinuation(string? Path, long? Size, int Method)
{
    /// <summary>The file that the volume after this one must begin with.</summary>
    public static RarContinuation Behind(RarVolume volume) => volume.SplitAfter ? Of(volume.Files[^1]) : default;

    /// <summary>The file that a volume begins with.</summary>
    public static RarContinuation Of(RarVolume volume) => volume.SplitBefore ? Of(volume.Files[0]) : default;

    private static RarContinuation Of(RarFile file) => new(file.Path, file.Size, file.Method);
}
