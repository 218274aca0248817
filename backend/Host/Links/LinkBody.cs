namespace NzbDav.Host.Links;

/// <summary>A request for a link.</summary>
/// <param name="Path">The file: <c>/content/CATEGORY/JOB/FILE</c>.</param>
/// <param name="Hours">How many hours it works, 1 to 8760; null: a day.</param>
internal sealed record LinkBody(string? Path, int? Hours);
