namespace NzbDav.Arr.Library;

/// <summary>The links in an application's library.</summary>
/// <param name="Links">The files that are links.</param>
/// <param name="Unseen">Why some files could not be examined from here, as a sentence; null: all were.</param>
public sealed record ArrLinks(IReadOnlyList<ArrLink> Links, string? Unseen);
