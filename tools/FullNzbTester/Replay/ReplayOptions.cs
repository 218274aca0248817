namespace NzbDav.FullNzbTester.Replay;

/// <summary>What to replay, and how.</summary>
/// <param name="File">The recording.</param>
/// <param name="Speed">The times between requests, and of what providers did, are divided by this; how long an answer takes is not.</param>
/// <param name="Json">Where all figures are written; null: nowhere.</param>
/// <param name="Server">The <c>nzbdav.dll</c> that is tried; null: this program's.</param>
/// <param name="Record">Where the replayed server's own recording is kept; null: nowhere.</param>
internal sealed record ReplayOptions(FileInfo File, double Speed, FileInfo? Json, FileInfo? Server, FileInfo? Record);
