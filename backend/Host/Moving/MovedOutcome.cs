namespace NzbDav.Host.Moving;

/// <summary>What became of one title.</summary>
/// <param name="Result">Whether it came.</param>
/// <param name="Category">Its category there.</param>
/// <param name="Name">Its name there.</param>
/// <param name="Reason">Why not, as a sentence; null for one that came.</param>
/// <param name="Rebuilt">Its .nzb was made again of message-ids.</param>
/// <param name="JobId">The job that it became; null: none.</param>
internal sealed record MovedOutcome(MoveResult Result, string Category, string Name, string? Reason, bool Rebuilt = false, long? JobId = null)
{
    /// <summary>Category and name.</summary>
    public string Title => Category.Length == 0 ? Name : $"{Category}/{Name}";
}
