namespace NzbDav.Host.Operations;

/// <summary>Log levels, by names such as <c>debug</c>.</summary>
/// <param name="Level">The level of categories without one of their own; null in a request: unchanged.</param>
/// <param name="Categories">Levels by category; null in a request: unchanged.</param>
internal sealed record LogLevelsBody(string? Level, Dictionary<string, string>? Categories);
