namespace NzbDav.Api.Sab.Answers;

/// <summary>Three numbers separated by dots.</summary>
internal sealed record VersionAnswer(string Version);
