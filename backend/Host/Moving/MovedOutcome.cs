namespace NzbDav.Host.Moving;

/// <summary>Outcome of migrating one title.</summary>
/// <param name="Result">Whether it was migrated.</param>
/// <param name="Category">Its category in the other program.</param>
/// <param name="Name">Its name in the other program.</param>
/// <param name="Reason">Why not, as a sentence; null if it was migrated.</param>
/// <param name="Rebuilt">Its .nzb was rebuilt from message-ids.</param>
/// <param name="JobId">The job that it became; null: none.</param>
internal sealed record MovedOutcome(MoveResult Result, string Category, string Name, string? Reason, bool Rebuilt = false, long? JobId = null)
{
    /// <summary>Category and name.</summary>
    public string Title => Category.Length == 0 ? Name : $"{Category}/{Name}";
}
