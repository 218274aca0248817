namespace NzbDav.Api.Sab;

/// <summary>It was done, to these jobs. Strict clients refuse any other member.</summary>
internal sealed record JobsAnswer(IReadOnlyList<string> NzoIds, bool Status = true);
