namespace NzbDav.Api.Sab.History;

/// <summary>The answer of <c>mode=history</c>.</summary>
/// <param name="History">A <see cref="HistoryBody"/>; false if nothing changed since the caller's last request.</param>
/// <param name="Status">SABnzbd does not send it; nzbdav does, and programs written for that one take an answer without it for a
/// failure.</param>
internal sealed record HistoryAnswer(object History, bool Status = true);
