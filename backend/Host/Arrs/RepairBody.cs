namespace NzbDav.Host.Arrs;

/// <summary>A file to replace.</summary>
/// <param name="Path">Its path in the tree: <c>/content/CATEGORY/JOB/FILE</c>.</param>
/// <param name="File">Its id, instead of the path.</param>
internal sealed record RepairBody(string? Path, string? File = null);
