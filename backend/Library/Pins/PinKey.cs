using NzbDav.Catalog.Blobs;

namespace NzbDav.Library.Pins;

/// <summary>Which bytes are pinned: those of a file as one map lays them out. A better map of the same file is another key.</summary>
/// <param name="Item">The file's id, which no other file ever gets.</param>
/// <param name="Map">Its extent map.</param>
/// <param name="Length">The file's bytes.</param>
public readonly record struct PinKey(long Item, BlobHash Map, long Length);
