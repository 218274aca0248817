namespace NzbDav.Access;

/// <summary>Sessions, latest seen first.</summary>
internal sealed record SessionListBody(IReadOnlyList<SessionInfoBody> Sessions);
