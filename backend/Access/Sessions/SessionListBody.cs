namespace NzbDav.Access.Sessions;

/// <summary>Sessions, latest seen first.</summary>
internal sealed record SessionListBody(IReadOnlyList<SessionInfoBody> Sessions);
