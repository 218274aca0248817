using NzbDav.Catalog.Places;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding;

/// <summary>The catalog's data about one of the user's torrents. Immutable.</summary>
/// <param name="Entry">The stored entry; once the facts are known, with the priorities that its magnet link asked for.</param>
/// <param name="Source">Its job, its .torrent and what was published of it.</param>
/// <param name="Facts">The facts of its .torrent; null: not known yet.</param>
/// <param name="Path">Where it was published, below <c>/content</c>; empty: not published.</param>
internal sealed record ShelfSlot(TorrentEntry Entry, TorrentSource Source, TorrentFacts? Facts, IReadOnlyList<string> Path);
