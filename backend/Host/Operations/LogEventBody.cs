namespace NzbDav.Host.Operations;

/// <summary>Data of the event "log": there are new lines.</summary>
/// <param name="Last">The id of the latest line.</param>
internal sealed record LogEventBody(long Last);
