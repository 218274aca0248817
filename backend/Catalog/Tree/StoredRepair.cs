namespace NzbDav.Catalog.Tree;

/// <summary>What is stored of a file's repair. One that did what it should is not.</summary>
/// <param name="Article">For which it was begun: what stands for it in the file's map.</param>
/// <param name="Failure">Why it failed; null: it was begun and did not come to its end.</param>
/// <param name="Providers">Names those that were asked.</param>
public sealed record StoredRepair(string Article, MendFailure? Failure, string Providers);
