namespace NzbDav.Host.Links;

/// <summary>A link that is asked for.</summary>
/// <param name="Path">The file: <c>/content/CATEGORY/JOB/FILE</c>.</param>
/// <param name="Hours">How long it opens it, 1 … 8760; null: a day.</param>
internal sealed record LinkBody(string? Path, int? Hours);
