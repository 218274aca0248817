namespace NzbDav.Api.Sab;

/// <summary>A <see cref="HistoryBody"/>; false when nothing changed since the caller looked.</summary>
internal sealed record HistoryAnswer(object History);
