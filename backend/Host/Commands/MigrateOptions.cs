using NzbDav.Migration;

namespace NzbDav.Host.Commands;

/// <summary>The options of <c>nzbdav migrate</c>.</summary>
/// <param name="From">The other program.</param>
/// <param name="Path">Its configuration folder.</param>
/// <param name="IsDry">Dry run: change nothing.</param>
/// <param name="QueuesOnly">Leave the imports to the next start of the server.</param>
/// <param name="Json">Where to write the report for machines; null: nowhere.</param>
internal sealed record MigrateOptions(OldProduct From, string Path, bool IsDry, bool QueuesOnly, FileInfo? Json);
