namespace NzbDav.Host.About;

/// <summary>The changes of one version.</summary>
/// <param name="Version">The version.</param>
/// <param name="Date">Release date, <c>2026-01-31</c>; null: not released yet.</param>
/// <param name="Points">The changes, one sentence each.</param>
internal sealed record ChangesBody(string Version, string? Date, IReadOnlyList<string> Points);
