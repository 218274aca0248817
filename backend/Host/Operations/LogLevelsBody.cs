namespace NzbDav.Host.Operations;

/// <summary>What is logged: levels by name, such as <c>debug</c>.</summary>
/// <param name="Level">For everything that has no level of its own; null in a request: as it is.</param>
/// <param name="Categories">By category; null in a request: as they are.</param>
internal sealed record LogLevelsBody(string? Level, Dictionary<string, string>? Categories);
