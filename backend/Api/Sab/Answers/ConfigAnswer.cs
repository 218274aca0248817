namespace NzbDav.Api.Sab.Answers;

/// <summary>Sections of the configuration, by name.</summary>
internal sealed record ConfigAnswer(IReadOnlyDictionary<string, object> Config);
