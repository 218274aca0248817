namespace NzbDav.Host.Holding;

/// <summary>What libraries have, and what they have no more.</summary>
/// <param name="Libraries">What is configured: folders, and *arrs by name.</param>
/// <param name="Read">When everything was read the last time; null: never.</param>
/// <param name="TrialEnds">Until then nothing is hidden or deleted; null: not known before everything was read once.</param>
/// <param name="Held">Files that libraries have links to.</param>
/// <param name="Problems">Why nothing is hidden and deleted; empty: nothing stands in the way.</param>
/// <param name="Lost">Files that no library has any more.</param>
internal sealed record LibraryAnswer(
    IReadOnlyList<string> Libraries, DateTimeOffset? Read, DateTimeOffset? TrialEnds, int Held, IReadOnlyList<string> Problems, IReadOnlyList<LostRow> Lost);
