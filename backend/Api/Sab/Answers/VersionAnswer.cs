namespace NzbDav.Api.Sab;

/// <summary>Three numbers with dots.</summary>
internal sealed record VersionAnswer(string Version);
