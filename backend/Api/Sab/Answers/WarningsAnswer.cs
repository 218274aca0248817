namespace NzbDav.Api.Sab;

/// <summary>Oldest first.</summary>
internal sealed record WarningsAnswer(IReadOnlyList<WarningSlot> Warnings);
