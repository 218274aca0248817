namespace NzbDav.Import.Repair;

/// <summary>The result of the repair of a post.</summary>
/// <param name="Articles">Number of restored articles.</param>
/// <param name="Why">Why not more, as a sentence; null if nothing is missing any more.</param>
internal sealed record RepairOutcome(int Articles, string? Why)
{
    /// <summary>False if the post has no recovery data.</summary>
    public bool HasRecovery { get; init; } = true;
}
