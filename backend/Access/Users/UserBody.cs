namespace NzbDav.Access;

/// <summary>A user, as others may see them.</summary>
internal sealed record UserBody(string Username, DateTimeOffset Created);
