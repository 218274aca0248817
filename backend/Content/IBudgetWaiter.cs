namespace NzbDav.Content;

/// <summary>Called when budget is freed after a refused reservation. Called on any thread, perhaps under a caller's lock: must only
/// schedule.</summary>
public interface IBudgetWaiter
{
    /// <summary>Some budget is free again: try once more.</summary>
    void BudgetFreed();
}
