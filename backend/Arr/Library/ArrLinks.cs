namespace NzbDav.Arr.Library;

/// <summary>What an application's files lead to.</summary>
/// <param name="Links">Those that are links.</param>
/// <param name="Unseen">Why some files could not be looked at from here, in words; null: all were.</param>
public sealed record ArrLinks(IReadOnlyList<ArrLink> Links, string? Unseen);
