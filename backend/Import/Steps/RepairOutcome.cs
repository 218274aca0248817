namespace NzbDav.Import;

/// <summary>What came of the repair of a post.</summary>
/// <param name="Articles">How many were made again.</param>
/// <param name="Why">Why not more, in words; null when nothing is missing any more.</param>
internal sealed record RepairOutcome(int Articles, string? Why)
{
    /// <summary>False when the post has no recovery data at all.</summary>
    public bool HasRecovery { get; init; } = true;
}
