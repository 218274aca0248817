namespace NzbDav.Host.Upkeep;

/// <summary>The health of a post.</summary>
/// <param name="Id">Id of the post: the item of its folder.</param>
/// <param name="Name">Its name.</param>
/// <param name="Category">Its category.</param>
/// <param name="Verdict">See <c>counts</c> of the overview.</param>
/// <param name="Stage">What is being done: <c>none</c>, <c>repairing</c>, <c>matching</c>, <c>asking</c>, <c>searching</c>, <c>removing</c>, <c>hidden</c>.</param>
/// <param name="Reason">Why, as a sentence; null: nothing is wrong.</param>
/// <param name="Changed">When verdict or stage last changed.</param>
/// <param name="Checked">The last check with a result; null: none yet.</param>
/// <param name="Whole">The last check that found every article it checked; null: none yet.</param>
/// <param name="Due">When it is checked next.</param>
/// <param name="Checks">Number of checks with a result.</param>
/// <param name="Articles">Number of its articles; 0: not known yet.</param>
/// <param name="Gone">Articles that were missing when last checked.</param>
/// <param name="Kept">Since when it is left unchanged at a person's request; null: it is not.</param>
/// <param name="Hidden">Since when it is hidden; null: it is shown.</param>
/// <param name="CanUndo">True if the last action can be undone.</param>
internal sealed record HealthPostBody(
    string Id,
    string Name,
    string Category,
    string Verdict,
    string Stage,
    string? Reason,
    DateTimeOffset Changed,
    DateTimeOffset? Checked,
    DateTimeOffset? Whole,
    DateTimeOffset Due,
    int Checks,
    int Articles,
    int Gone,
    DateTimeOffset? Kept,
    DateTimeOffset? Hidden,
    bool CanUndo);
