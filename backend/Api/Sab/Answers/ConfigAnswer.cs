namespace NzbDav.Api.Sab;

/// <summary>Sections by name.</summary>
internal sealed record ConfigAnswer(IReadOnlyDictionary<string, object> Config);
