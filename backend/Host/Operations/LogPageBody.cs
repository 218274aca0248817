namespace NzbDav.Host.Operations;

/// <summary>Lines of the log, oldest first.</summary>
/// <param name="Lines">The lines.</param>
/// <param name="Last">The id of the latest line that there is, whether or not it is among them; 0: none.</param>
internal sealed record LogPageBody(IReadOnlyList<LogLineBody> Lines, long Last);
