namespace NzbDav.Host.Holding;

/// <summary>An item of the tree.</summary>
/// <param name="Path"><c>/content/CATEGORY/JOB</c>, or an item below it.</param>
internal sealed record PathBody(string? Path);
