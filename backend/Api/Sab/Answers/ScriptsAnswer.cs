namespace NzbDav.Api.Sab.Answers;

/// <summary>Names of scripts: there are none.</summary>
internal sealed record ScriptsAnswer(IReadOnlyList<string> Scripts);
