using NzbDav.Catalog;

namespace NzbDav.Api.Native.Torrents;

/// <summary>How soon files of a torrent are fetched while it is kept.</summary>
/// <param name="Files">Their numbers in the torrent, padding counted.</param>
/// <param name="Priority">From here on. Whoever reads a file gets it whatever this says.</param>
internal sealed record TorrentPriorityBody(IReadOnlyList<int>? Files, FilePriority? Priority);
