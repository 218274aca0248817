namespace NzbDav.Api.Sab.Answers;

/// <summary>Oldest first.</summary>
internal sealed record WarningsAnswer(IReadOnlyList<WarningSlot> Warnings);
