namespace NzbDav.Catalog.Tree;

/// <summary>A repair that failed for a lasting reason: it is not tried again yet.</summary>
/// <param name="Reason">Why, as sentences.</param>
/// <param name="Until">When it may be tried again, unless the providers change before.</param>
public sealed record MendFailure(string Reason, DateTimeOffset Until);
