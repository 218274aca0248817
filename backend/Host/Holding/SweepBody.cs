namespace NzbDav.Host.Holding;

/// <summary>How libraries are read.</summary>
/// <param name="Accept">It is right if much is lost, hidden or deleted at once.</param>
internal sealed record SweepBody(bool Accept);
