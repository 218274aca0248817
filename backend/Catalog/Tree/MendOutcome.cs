namespace NzbDav.Catalog.Tree;

/// <summary>The outcome of waiting for a repair.</summary>
/// <param name="State">How it stands.</param>
/// <param name="Reason">Why the article is not there, as a sentence; null when it is, or nothing can be said.</param>
public readonly record struct MendOutcome(MendState State, string? Reason = null)
{
    /// <summary>True if it failed for a temporary reason, such as a provider that does not answer: a later attempt may succeed.</summary>
    public bool IsPassing { get; init; }

    /// <summary>How long the caller waited.</summary>
    public TimeSpan Waited { get; init; }
}
