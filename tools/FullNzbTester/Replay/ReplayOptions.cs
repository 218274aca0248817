namespace NzbDav.FullNzbTester.Replay;

/// <summary>What to replay, and how.</summary>
/// <param name="File">The recording.</param>
/// <param name="Speed">Divides the times between requests and between events of providers. Response times are not changed.</param>
/// <param name="Json">Where all figures are written; null: nowhere.</param>
/// <param name="Server">The <c>nzbdav.dll</c> under test; null: this program's.</param>
/// <param name="Record">Where the replayed server's own recording is kept; null: nowhere.</param>
internal sealed record ReplayOptions(FileInfo File, double Speed, FileInfo? Json, FileInfo? Server, FileInfo? Record);
