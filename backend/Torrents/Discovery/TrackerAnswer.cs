using System.Net;

namespace NzbDav.Torrents.Discovery;

/// <summary>What a tracker said.</summary>
/// <param name="Failure">Why it gave nothing; null if it did.</param>
/// <param name="Peers">Addresses.</param>
/// <param name="Interval">When to ask again.</param>
/// <param name="Least">How soon one may ask, whatever happens.</param>
internal sealed record TrackerAnswer(string? Failure, IReadOnlyList<IPEndPoint> Peers, TimeSpan Interval, TimeSpan Least);
