using Microsoft.Win32.SafeHandles;

namespace NzbDav.Torrents.Storage;

/// <summary>Open files of all torrents that are kept, a bounded number: those used longest ago are closed. Thread-safe.</summary>
/// <param name="most">How many stay open beside those in use.</param>
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

    /// <summary>A file, opened if it is not open; give the lease back.</summary>
    /// <param name="owner">Whose file.</param>
    /// <param name="file">Which of them.</param>
    /// <param name="open">Opens it. Called under a lock: opening waits for no network.</param>
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

    /// <summary>Closes all files of an owner; those in use when they are given back.</summary>
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

        /// <summary>Valid until the lease is given back.</summary>
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
