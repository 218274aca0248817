using NzbDav.Catalog;

namespace NzbDav.Seeding;

/// <summary>What the catalog knows of one torrent of the user's. Immutable.</summary>
/// <param name="Entry">As stored.</param>
/// <param name="Source">Where it comes from.</param>
/// <param name="Facts">What its .torrent says; null: not known.</param>
/// <param name="Path">Where it was published, below <c>/content</c>.</param>
internal sealed record ShelfSlot(TorrentEntry Entry, TorrentSource Source, TorrentFacts? Facts, IReadOnlyList<string> Path);
