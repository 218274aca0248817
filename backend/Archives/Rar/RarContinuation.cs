namespace NzbDav.Archives.Rar;

/// <summary>The file that continues in the next volume: equal for both volumes. Default where no file continues.</summary>
internal readonly record struct RarContinuation(string? Path, long? Size, int Method)
{
    /// <summary>What the volume behind this one must begin with.</summary>
    public static RarContinuation Behind(RarVolume volume) => volume.SplitAfter ? Of(volume.Files[^1]) : default;

    /// <summary>What a volume begins with.</summary>
    public static RarContinuation Of(RarVolume volume) => volume.SplitBefore ? Of(volume.Files[0]) : default;

    private static RarContinuation Of(RarFile file) => new(file.Path, file.Size, file.Method);
}
