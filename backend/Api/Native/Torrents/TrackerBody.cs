using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>A tracker of a torrent.</summary>
/// <param name="Url">Its address, without what may be a person's key.</param>
/// <param name="State">How it stands.</param>
/// <param name="Message">What it, or the way to it, said last; null when nothing is wrong.</param>
/// <param name="Peers">Addresses in its last answer.</param>
/// <param name="Next">When it is asked again at the latest; null when that is not known.</param>
internal sealed record TrackerBody(string Url, TrackerState State, string? Message, int Peers, DateTimeOffset? Next);
