namespace NzbDav.Api.Native.Jobs;

/// <summary>Links to add.</summary>
/// <param name="Links">Magnet links, and addresses of .nzb and .torrent files that begin with http:// or https://. 1 to 100.</param>
/// <param name="Category">The category of the jobs; null: the default category.</param>
/// <param name="Priority">Higher priorities run first; null: 0.</param>
/// <param name="Password">For encrypted archives.</param>
/// <param name="Paused">Add the jobs paused.</param>
internal sealed record AddLinksBody(IReadOnlyList<string?>? Links, string? Category = null, int? Priority = null, string? Password = null, bool? Paused = null);
