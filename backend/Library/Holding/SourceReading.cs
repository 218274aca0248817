namespace NzbDav.Library.Holding;

/// <summary>What was found in a library.</summary>
/// <param name="Links">The links; also those that were found before a problem.</param>
/// <param name="Problem">Why it could not be read as a whole; null: it was.</param>
/// <param name="IsEmptied">The problem is only that nothing is left in it: a person can confirm that this is right.</param>
public sealed record SourceReading(IReadOnlyList<FoundLink> Links, string? Problem = null, bool IsEmptied = false);
