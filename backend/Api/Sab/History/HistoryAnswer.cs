namespace NzbDav.Api.Sab.History;

/// <summary>A <see cref="HistoryBody"/>; false if nothing changed since the caller's last request.</summary>
internal sealed record HistoryAnswer(object History);
