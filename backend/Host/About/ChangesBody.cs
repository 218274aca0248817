namespace NzbDav.Host.About;

/// <summary>What a version brought.</summary>
/// <param name="Version">The version.</param>
/// <param name="Date">When it came out, <c>2026-01-31</c>; null: it is not out yet.</param>
/// <param name="Points">One sentence each.</param>
internal sealed record ChangesBody(string Version, string? Date, IReadOnlyList<string> Points);
