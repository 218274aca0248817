namespace NzbDav.Api.Sab;

/// <summary>Names of scripts: there are none.</summary>
internal sealed record ScriptsAnswer(IReadOnlyList<string> Scripts);
