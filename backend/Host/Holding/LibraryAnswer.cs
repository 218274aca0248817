namespace NzbDav.Host.Holding;

/// <summary>Files that libraries use, and those that they no longer use.</summary>
/// <param name="Libraries">The configured libraries: folders, and names of *arrs.</param>
/// <param name="Read">When all libraries were last read; null: never.</param>
/// <param name="TrialEnds">Until then nothing is hidden or deleted; null: not known before all libraries have been read once.</param>
/// <param name="Held">Number of files to which libraries have links.</param>
/// <param name="Problems">Why nothing is hidden or deleted; empty: nothing prevents it.</param>
/// <param name="Lost">Files that no library uses any more.</param>
internal sealed record LibraryAnswer(
    IReadOnlyList<string> Libraries, DateTimeOffset? Read, DateTimeOffset? TrialEnds, int Held, IReadOnlyList<string> Problems, IReadOnlyList<LostRow> Lost);
