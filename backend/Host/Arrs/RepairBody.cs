namespace NzbDav.Host.Arrs;

/// <summary>A file to be replaced.</summary>
/// <param name="Path">In the tree: <c>/content/CATEGORY/JOB/FILE</c>.</param>
/// <param name="File">Its id, in place of the path.</param>
internal sealed record RepairBody(string? Path, string? File = null);
