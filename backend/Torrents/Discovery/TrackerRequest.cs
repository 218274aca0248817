using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <summary>What a tracker is told (BEP 3).</summary>
internal sealed record TrackerRequest(InfoHash Hash, InfoHash PeerId, int Port, long Uploaded, long Downloaded, long Left, TrackerEvent Event);
