namespace NzbDav.Content;

/// <summary>Told when budget was freed after a refused reservation. Called outside locks, on any thread; must not block.</summary>
public interface IBudgetWaiter
{
    /// <summary>Some budget is free again: try once more.</summary>
    void BudgetFreed();
}
