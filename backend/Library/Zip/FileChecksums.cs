using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Zip;

/// <summary>Checksums of the files that were read last, so that a download that goes on, and ranges side by side, need no byte twice. Thread-safe; bounded.</summary>
internal sealed class FileChecksums
{
    private const int Most = 20_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, LinkedListNode<(string Tag, FileChecksum Checksum)>> _byTag = new(StringComparer.Ordinal);
    private readonly LinkedList<(string Tag, FileChecksum Checksum)> _recent = new();

    /// <summary>That of a file; the same one for all who ask while it is kept.</summary>
    public FileChecksum Of(CatalogItem item)
    {
        lock (_gate)
        {
            if (_byTag.TryGetValue(item.ETag, out var node))
            {
                _recent.Remove(node);
                _recent.AddFirst(node);
                return node.Value.Checksum;
            }

            var made = _recent.AddFirst((item.ETag, new FileChecksum(item.Size)));
            _byTag.Add(item.ETag, made);
            if (_recent.Count > Most)
            {
                _byTag.Remove(_recent.Last!.Value.Tag);
                _recent.RemoveLast();
            }

            return made.Value.Checksum;
        }
    }
}
