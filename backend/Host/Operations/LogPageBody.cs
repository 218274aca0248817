namespace NzbDav.Host.Operations;

/// <summary>Lines of the log, oldest first.</summary>
/// <param name="Lines">The lines.</param>
/// <param name="Last">The id of the latest line in the log, whether or not it is among these; 0: the log is empty.</param>
internal sealed record LogPageBody(IReadOnlyList<LogLineBody> Lines, long Last);
