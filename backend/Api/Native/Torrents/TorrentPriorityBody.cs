using NzbDav.Catalog.Torrents;

namespace NzbDav.Api.Native.Torrents;

/// <summary>A new download priority for files of a torrent that is kept.</summary>
/// <param name="Files">Their numbers in the torrent, counting padding files.</param>
/// <param name="Priority">The new priority. A file that is being read is downloaded in any case.</param>
internal sealed record TorrentPriorityBody(IReadOnlyList<int>? Files, FilePriority? Priority);
