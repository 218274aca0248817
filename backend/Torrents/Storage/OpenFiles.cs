using Microsoft.Win32.SafeHandles;

namespace NzbDav.Torrents.Storage;

/// <summary>Open files of all kept torrents. Their number is limited: the least recently used are closed first. Thread-safe.</summary>
/// <param name="most">Most files that are open at once; exceeded only by files in use.</param>
internal sealed class OpenFiles(int most)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<(object Owner, int File), LinkedListNode<Entry>> _files = [];
    private readonly LinkedList<Entry> _byUse = [];

    /// <summary>Number of open files.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _files.Count;
        }
    }

    /// <summary>
    /// Returns a file, and opens it if necessary. Dispose the lease after use. Only users of the same file wait while it is being opened:
    /// another file's disk may be spinning up.
    /// </summary>
    /// <param name="owner">The owner of the file.</param>
    /// <param name="file">Number of the file among the owner's.</param>
    /// <param name="open">Opens the file with the given number.</param>
    public Lease Use(object owner, int file, Func<int, SafeFileHandle> open)
    {
        Entry entry;
        lock (_gate)
        {
            if (!_files.TryGetValue((owner, file), out var node))
                node = _files[(owner, file)] = new LinkedListNode<Entry>(new Entry(owner, file));
            entry = Acquire(node);
        }

        try
        {
            entry.Open(open);
            return new Lease(this, entry);
        }
        catch
        {
            Return(entry);
            throw;
        }
    }

    /// <summary>Returns a file that is open; null if it is not. Never waits.</summary>
    public Lease? TryUse(object owner, int file)
    {
        lock (_gate)
            return _files.TryGetValue((owner, file), out var node) && node.Value.IsOpen ? new Lease(this, Acquire(node)) : null;
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

    /// <summary>Closes one file of an owner; if it is in use, it is closed when its last lease is disposed.</summary>
    public void Close(object owner, int file)
    {
        lock (_gate)
        {
            if (_files.TryGetValue((owner, file), out var node))
                Remove(node);
        }
    }

    private Entry Acquire(LinkedListNode<Entry> node)
    {
        if (node.List is not null)
            _byUse.Remove(node);
        _byUse.AddLast(node);
        node.Value.Users++;
        Trim();
        return node.Value;
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
            node.Value.Close();
    }

    private void Return(Entry entry)
    {
        lock (_gate)
        {
            if (--entry.Users > 0)
                return;
            if (entry.IsClosed)
                entry.Close();
            else if (!entry.IsOpen && _files.TryGetValue((entry.Owner, entry.File), out var node))
                Remove(node);
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

    /// <summary>
    /// A file that is open or about to be opened. Used under the lock, except for <see cref="Open"/> and <see cref="Handle"/>.
    /// </summary>
    internal sealed class Entry(object owner, int file)
    {
        private readonly Lock _opening = new();
        private SafeFileHandle? _handle;

        public object Owner { get; } = owner;

        public int File { get; } = file;

        public SafeFileHandle Handle => _handle!;

        public bool IsOpen => Volatile.Read(ref _handle) is not null;

        public int Users { get; set; }

        public bool IsClosed { get; set; }

        /// <summary>Opens it, unless it is open. If that fails, the next user tries again.</summary>
        public void Open(Func<int, SafeFileHandle> open)
        {
            if (IsOpen)
                return;
            lock (_opening)
            {
                if (_handle is null)
                    Volatile.Write(ref _handle, open(File));
            }
        }

        public void Close() => _handle?.Dispose();
    }
}
