namespace NzbDav.Api.Sab.Jobs;

/// <summary>The log of one stage, as text.</summary>
internal sealed record StageLog(string Name, IReadOnlyList<string> Actions);
