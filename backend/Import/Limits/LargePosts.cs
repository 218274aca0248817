namespace NzbDav.Import.Limits;

/// <summary>
/// Limits how many large posts are read in or imported at a time, because a parsed .nzb takes about as much memory as its length. Small
/// posts are admitted at once, large ones in order of arrival; one that exceeds the whole limit runs alone. Thread-safe.
/// </summary>
internal sealed class LargePosts
{
    /// <summary>Bytes of large .nzb files imported at a time: one post of 500 GB (71 MB), or a dozen of 50 GB.</summary>
    internal const long Most = 96 << 20;

    /// <summary>An .nzb smaller than this, in bytes, counts as small: about 10 GB of post.</summary>
    internal const long Small = 1 << 20;

    private readonly ByteLimiter _limiter = new(Most);

    /// <summary>Waits until the post may be imported.</summary>
    /// <param name="bytes">Length of the .nzb in bytes.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    /// <returns>Dispose it when the import ends. Null for a small post, which is not limited.</returns>
    public async Task<IDisposable?> EnterAsync(long bytes, CancellationToken cancellationToken) =>
        bytes < Small ? null : await _limiter.AcquireAsync(bytes, cancellationToken);
}
