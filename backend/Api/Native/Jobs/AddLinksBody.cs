namespace NzbDav.Api.Native.Jobs;

/// <summary>Links to be added.</summary>
/// <param name="Links">Magnet links, and addresses of .nzb and .torrent files that begin with http:// or https://. 1 to 100.</param>
/// <param name="Category">Where the jobs go; null: the default.</param>
/// <param name="Priority">Higher goes first; null: 0.</param>
/// <param name="Password">For encrypted archives.</param>
/// <param name="Paused">Hold them back.</param>
internal sealed record AddLinksBody(IReadOnlyList<string?>? Links, string? Category = null, int? Priority = null, string? Password = null, bool? Paused = null);
