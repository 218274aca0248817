namespace NzbDav.Api.Sab;

/// <summary>What happened in one stage, in words.</summary>
internal sealed record StageLog(string Name, IReadOnlyList<string> Actions);
