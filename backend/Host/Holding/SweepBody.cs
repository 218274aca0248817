namespace NzbDav.Host.Holding;

/// <summary>Requests a reading of all libraries.</summary>
/// <param name="Accept">True to accept that many files are lost, hidden or deleted at once.</param>
internal sealed record SweepBody(bool Accept);
