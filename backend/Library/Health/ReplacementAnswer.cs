namespace NzbDav.Library.Health;

/// <summary>The result of asking an *arr.</summary>
/// <param name="State">How it stands.</param>
/// <param name="Reason">In words, as a sentence.</param>
public sealed record ReplacementAnswer(ReplacementState State, string Reason)
{
    /// <summary>What to look for the replacement with; of <see cref="ReplacementState.Searching"/>.</summary>
    public string? Search { get; init; }

    /// <summary>The new files; of <see cref="ReplacementState.Imported"/>.</summary>
    public IReadOnlyList<long> ItemIds { get; init; } = [];
}
