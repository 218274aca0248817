namespace NzbDav.Host.Upkeep;

/// <summary>Whether a post is left unchanged.</summary>
/// <param name="Keep">True: it is checked, and nothing is done about it.</param>
internal sealed record HealthKeepBody(bool Keep);
