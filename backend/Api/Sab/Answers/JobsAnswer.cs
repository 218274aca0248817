namespace NzbDav.Api.Sab.Answers;

/// <summary>The call succeeded for these jobs. Strict clients reject any other member.</summary>
internal sealed record JobsAnswer(IReadOnlyList<string> NzoIds, bool Status = true);
