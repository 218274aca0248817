namespace NzbDav.WebDav.Store;

/// <summary>The space that WebDAV reports (RFC 4331).</summary>
/// <param name="Available">Bytes that may still be written, at least 0.</param>
/// <param name="Used">Bytes taken, at least 0.</param>
public readonly record struct StoreQuota(long Available, long Used)
{
    /// <summary>1 TiB free, nothing used: no client refuses a copy, and none overflows.</summary>
    public static StoreQuota Ample => new(1L << 40, 0);
}
