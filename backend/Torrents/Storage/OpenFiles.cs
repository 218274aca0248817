using Microsoft.Win32.SafeHandles;

namespace NzbDav.Torrents.Storage;

/// <summary>Open files of all kept torrents. Their number is limited: the least recently used are closed first. Thread-safe.</summary>
/// <param name="most">Most files that are open at once; files in use may exceed it.</param>
internal sealed class OpenFiles(int most)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<(object Owner, int File), LinkedListNode<Entry>> _files = [];
    private readonly LinkedList<Entry> _byUse = [];

    /// <summary>How many are open.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _files.Count;
        }
    }

    /// <summary>Returns a file, and opens it if necessary. Dispose the lease after use.</summary>
    /// <param name="owner">The owner of the file.</param>
    /// <param name="file">Number of the file among the owner's.</param>
    /// <param name="open">Opens it. Called under a lock, as opening does not wait for a network.</param>
    public Lease Use(object owner, int file, Func<int, SafeFileHandle> open)
    {
        lock (_gate)
        {
            if (!_files.TryGetValue((owner, file), out var node))
            {
                node = new LinkedListNode<Entry>(new Entry(owner, file, open(file)));
                _files[(owner, file)] = node;
            }
            else
            {
                _byUse.Remove(node);
            }

            _byUse.AddLast(node);
            node.Value.Users++;
            Trim();
            return new Lease(this, node.Value);
        }
    }

    /// <summary>Closes all files of an owner; those in use are closed when their lease is disposed.</summary>
    public void Close(object owner)
    {
        lock (_gate)
        {
            foreach (var node in _files.Values.Where(node => ReferenceEquals(node.Value.Owner, owner)).ToArray())
                Remove(node);
        }
    }

    private void Trim()
    {
        for (var node = _byUse.First; node is not null && _files.Count > most;)
        {
            var next = node.Next;
            if (node.Value.Users == 0)
                Remove(node);
            node = next;
        }
    }

    private void Remove(LinkedListNode<Entry> node)
    {
        _files.Remove((node.Value.Owner, node.Value.File));
        _byUse.Remove(node);
        node.Value.IsClosed = true;
        if (node.Value.Users == 0)
            node.Value.Handle.Dispose();
    }

    private void Return(Entry entry)
    {
        lock (_gate)
        {
            if (--entry.Users == 0 && entry.IsClosed)
                entry.Handle.Dispose();
        }
    }

    /// <summary>A file in use.</summary>
    public readonly struct Lease : IDisposable
    {
        private readonly OpenFiles _files;
        private readonly Entry _entry;

        internal Lease(OpenFiles files, Entry entry) => (_files, _entry) = (files, entry);

        /// <summary>Valid until the lease is disposed.</summary>
        public SafeFileHandle Handle => _entry.Handle;

        /// <inheritdoc/>
        public void Dispose() => _files.Return(_entry);
    }

    internal sealed class Entry(object owner, int file, SafeFileHandle handle)
    {
        public object Owner { get; } = owner;

        public int File { get; } = file;

        public SafeFileHandle Handle { get; } = handle;

        public int Users { get; set; }

        public bool IsClosed { get; set; }
    }
}
