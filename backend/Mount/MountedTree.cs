using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using NzbDav.Mount.Protocol;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.Mount;

/// <summary>
/// Answers the kernel's requests from the store. Names and attributes stay in the kernel's cache until <see cref="MountChanges"/> takes
/// them out. Thread-safe.
/// </summary>
internal sealed class MountedTree : IAsyncDisposable
{
    /// <summary>Longest name in bytes (NAME_MAX).</summary>
    internal const int LongestName = 255;

    /// <summary>
    /// The item of a node is gone. Something else may have its path, of which <see cref="MountChanges"/> has not told yet: at ESTALE the
    /// kernel looks up each name of the path anew, and tries again.
    /// </summary>
    private const LinuxError Outdated = LinuxError.Stale;

    private readonly FuseConnection _connection;
    private readonly IStore _store;
    private readonly MountContext _context;
    private readonly EntryWriter _entries;
    private readonly MountedWrites _writes;
    private readonly FolderListings _listings = new();
    private readonly ConcurrentDictionary<ulong, object> _open = [];
    private ulong _lastHandle;

    /// <param name="connection">Takes the replies.</param>
    /// <param name="store">The tree.</param>
    /// <param name="options">Who owns what is shown.</param>
    /// <param name="context">What the files share.</param>
    public MountedTree(FuseConnection connection, IStore store, MountOptions options, MountContext context)
    {
        (_connection, _store, _context) = (connection, store, context);
        _writes = new MountedWrites(this, context);
        _entries = new EntryWriter(
            Nodes, options.User ?? LinuxCalls.EffectiveUser(), options.Group ?? LinuxCalls.EffectiveGroup());
    }

    /// <summary>Called with a folder that changed while a listing of it was written: its changes have to be told once more.</summary>
    public Action<Node>? Raced { get; set; }

    /// <summary>The items that the kernel knows.</summary>
    public NodeTable Nodes { get; } = new();

    /// <summary>A request has come; see <see cref="FuseConnection.Start"/>.</summary>
    public void Arrive(in RequestHeader header, ReadOnlySpan<byte> body)
    {
        if (header.Opcode != FuseOpcode.Read)
            return;
        var read = MemoryMarshal.Read<ReadRequest>(body);
        if (_open.TryGetValue(read.Handle, out var open) && open is MountedFile file)
            file.Arrive(header.Unique, (long)read.Offset, (int)Math.Min(read.Size, FuseDevice.MaxRead));
    }

    /// <summary>Answers a request; see <see cref="FuseConnection.Handler"/>.</summary>
    public void Handle(in RequestHeader header, ReadOnlySpan<byte> body)
    {
        var (request, node) = (header.Unique, header.NodeId);
        switch (header.Opcode)
        {
            case FuseOpcode.Init:
                Init(request, MemoryMarshal.Read<InitRequest>(body));
                break;
            case FuseOpcode.Read:
                Read(request, MemoryMarshal.Read<ReadRequest>(body));
                break;
            case FuseOpcode.Lookup:
                // Counted before it is decoded: what is no UTF-8 becomes longer.
                if (body.IndexOf((byte)0) > LongestName)
                    _connection.Reply(request, LinuxError.NameTooLong);
                else
                    Run(request, LookUpAsync(request, node, NameIn(body)));
                break;
            case FuseOpcode.GetAttr:
                Run(request, GetAttributesAsync(request, node));
                break;
            case FuseOpcode.Forget:
                Nodes.Forget(node, MemoryMarshal.Read<ulong>(body));
                break;
            case FuseOpcode.BatchForget:
                foreach (var one in MemoryMarshal.Cast<byte, ForgetOne>(body[8..])[..(int)MemoryMarshal.Read<uint>(body)])
                    Nodes.Forget(one.NodeId, one.Lookups);
                break;
            case FuseOpcode.Open:
                Run(request, OpenAsync(request, node, MemoryMarshal.Read<OpenRequest>(body).Flags, header.Process));
                break;
            case FuseOpcode.Release or FuseOpcode.ReleaseDir:
                Release(request, node, MemoryMarshal.Read<ReleaseRequest>(body).Handle);
                break;
            case FuseOpcode.OpenDir:
                Run(request, OpenFolderAsync(request, node));
                break;
            case FuseOpcode.ReadDir or FuseOpcode.ReadDirPlus:
                Run(request, ListAsync(request, node, MemoryMarshal.Read<ReadRequest>(body), header.Opcode == FuseOpcode.ReadDirPlus));
                break;
            case FuseOpcode.ReadLink:
                Run(request, ReadLinkAsync(request, node));
                break;
            case FuseOpcode.Unlink or FuseOpcode.RmDir:
                Run(request, DeleteAsync(request, node, NameIn(body), header.Opcode == FuseOpcode.RmDir));
                break;
            case FuseOpcode.Rename:
                Rename(request, node, MemoryMarshal.Read<ulong>(body), flags: 0, body[sizeof(ulong)..]);
                break;
            case FuseOpcode.Rename2:
                var rename = MemoryMarshal.Read<Rename2Request>(body);
                Rename(request, node, rename.NewFolder, rename.Flags, body[Unsafe.SizeOf<Rename2Request>()..]);
                break;
            case FuseOpcode.StatFs:
                Run(request, StatFsAsync(request, node));
                break;
            case FuseOpcode.Interrupt:
                Interrupt(MemoryMarshal.Read<ulong>(body));
                break;

            // Nothing is written, so there is nothing to flush.
            case FuseOpcode.Flush or FuseOpcode.FSync or FuseOpcode.FSyncDir:
                _connection.Reply(request, LinuxError.None);
                break;
            case FuseOpcode.Destroy:
                _connection.Reply(request, LinuxError.None);
                break;

            // link(2): "EPERM The filesystem … does not support the creation of hard links." Programs then move or copy.
            case FuseOpcode.Link:
                _connection.Reply(request, LinuxError.NotPermitted);
                break;
            case FuseOpcode.SetAttr or FuseOpcode.Create or FuseOpcode.MkNod or FuseOpcode.MkDir or FuseOpcode.Symlink or FuseOpcode.Write
                or FuseOpcode.FAllocate or FuseOpcode.CopyFileRange or FuseOpcode.SetXAttr or FuseOpcode.RemoveXAttr:
                _connection.Reply(request, LinuxError.ReadOnly);
                break;

            // The kernel does not ask again.
            default:
                _connection.Reply(request, LinuxError.NotImplemented);
                break;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var (handle, open) in _open)
        {
            _open.TryRemove(handle, out _);
            if (open is MountedFile file)
                await file.DisposeAsync();
        }
    }

    /// <summary>The item of a node as it is now; null if there is none any more.</summary>
    public async ValueTask<IStoreItem?> FindAsync(Node node)
    {
        if (Nodes.PathOf(node) is not { } path)
            return null;
        var item = await _store.GetItemAsync(path, CancellationToken.None);
        return item is null || !node.IsSameAs(item) ? null : node.Item = item;
    }

    /// <summary>Children of a folder were added, removed, renamed or changed: it is listed anew.</summary>
    public void Outdate(Node folder)
    {
        folder.Changed();
        _listings.Drop(folder);
    }

    private void Init(ulong request, InitRequest offered)
    {
        const InitFlags Wanted = InitFlags.AsyncRead | InitFlags.ParallelDirectoryOperations | InitFlags.ReadDirPlus
            | InitFlags.ReadDirPlusAuto | InitFlags.AsyncDirectIo
            | InitFlags.MaxPages | InitFlags.CacheSymlinks | InitFlags.ExplicitInvalidation;
        _connection.Reply(request, new InitReply
        {
            Major = 7,
            Minor = 31,
            // The kernel takes its own limit if that is lower; FuseDevice.SetReadAhead may raise it meanwhile.
            MaxReadahead = FuseDevice.ReadAhead,
            Flags = Wanted & (InitFlags)offered.Flags,
            MaxBackground = 64,
            CongestionThreshold = 48,
            MaxWrite = 4096,
            TimeGranularity = 1_000_000,
            MaxPages = (ushort)(FuseDevice.MaxRead / 4096),
        });
    }

    private async ValueTask LookUpAsync(ulong request, ulong parentId, string name)
    {
        if (Nodes.Find(parentId) is not { } parent || Nodes.PathOf(parent) is not { } path)
        {
            _connection.Reply(request, LinuxError.Stale);
            return;
        }

        if (await FindAsync(path, name) is not { } item)
        {
            _connection.Reply(request, LinuxError.NoEntry);
            return;
        }

        var node = Nodes.Hold(parent, name, item);
        _connection.Reply(request, _entries.EntryOf(node, item));
    }

    /// <summary>The item that has a name in the mount, where a link's name is without the suffix; null if there is none.</summary>
    internal async ValueTask<IStoreItem?> FindAsync(StorePath folder, string name)
    {
        if (await _store.GetItemAsync(folder.Child(name), CancellationToken.None) is { } item)
            return item is IStoreLink ? null : item;
        return await _store.GetItemAsync(folder.Child(name + IStoreLink.Suffix), CancellationToken.None) as IStoreLink;
    }

    private async ValueTask GetAttributesAsync(ulong request, ulong id)
    {
        // Before it reads from an open file the kernel asks for its size. What was deleted meanwhile is read on.
        if (Nodes.Find(id) is not { } node || (await FindAsync(node) ?? (node.IsOpen ? node.Item : null)) is not { } item)
            _connection.Reply(request, Outdated);
        else
            _connection.Reply(request, _entries.AttributesOf(node, item));
    }

    // Files.

    private async ValueTask OpenAsync(ulong request, ulong id, uint flags, uint process)
    {
        const uint AccessMode = 3;
        if ((flags & AccessMode) != 0)
        {
            _connection.Reply(request, LinuxError.ReadOnly);
            return;
        }

        if (Nodes.Find(id) is not { } node || await FindAsync(node) is not { } item)
        {
            _connection.Reply(request, Outdated);
            return;
        }

        if (item is not IStoreFile file)
        {
            _connection.Reply(request, LinuxError.IsDirectory);
            return;
        }

        var isSame = node.CachedVersion == file.ETag;
        node.CachedVersion = file.ETag;
        var source = file.Id is { } number && Nodes.PathOf(node) is { } path
            ? new StreamSource(number, "/" + string.Join('/', path.Segments), file.Name, file.Length, Processes.Mount,
                Processes.NameOf(process), User: null, StreamOrigin.Mount)
            : null;
        var handle = Add(new MountedFile(_connection, file, source, _context));
        node.Opened();
        _connection.Reply(
            request, new OpenReply { Handle = handle, Flags = OpenFlags.NoFlush | (isSame ? OpenFlags.KeepCache : OpenFlags.None) });
    }

    private void Read(ulong request, ReadRequest read)
    {
        if (_open.TryGetValue(read.Handle, out var open) && open is MountedFile file)
            file.Read();
        else
            _connection.Reply(request, LinuxError.Stale);
    }

    private void Release(ulong request, ulong node, ulong handle)
    {
        if (_open.TryRemove(handle, out var open) && open is MountedFile file)
        {
            Nodes.Find(node)?.Closed();
            _ = file.DisposeAsync().AsTask();
        }

        _connection.Reply(request, LinuxError.None);
    }

    private void Interrupt(ulong request)
    {
        foreach (var open in _open.Values)
        {
            if (open is MountedFile file && file.Interrupt(request))
                return;
        }
    }

    private async ValueTask ReadLinkAsync(ulong request, ulong id)
    {
        if (Nodes.Find(id) is not { } node || await FindAsync(node) is not IStoreLink link)
        {
            _connection.Reply(request, Outdated);
            return;
        }

        // Reading the target tells the store that somebody may keep the link.
        var opened = await link.OpenAsync(CancellationToken.None);
        if (opened.Content is not { } content)
        {
            _context.Failed(link.Name, 0, opened.Fault, opened.Reason);
            _connection.Reply(request, LinuxError.InputOutput);
            return;
        }

        var target = new byte[content.Length];
        await using var reader = content.OpenReader(0, content.Length, Content.ReadIntent.Probe);
        for (var at = 0; at < target.Length;)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            lease.Memory.CopyTo(target.AsMemory(at));
            at += lease.Length;
        }

        _connection.Reply(request, target);
    }

    // Folders.

    private async ValueTask OpenFolderAsync(ulong request, ulong id)
    {
        if (Nodes.Find(id) is not { } node || await FindAsync(node) is not { } item)
            _connection.Reply(request, Outdated);
        else if (item is not IStoreCollection)
            _connection.Reply(request, LinuxError.NotDirectory);
        else
            // Not kept by the kernel: it would go on in a listing that others had renewed meanwhile, and miss a name.
            _connection.Reply(request, new OpenReply { Handle = Add(new OpenFolder()) });
    }

    private async ValueTask ListAsync(ulong request, ulong id, ReadRequest read, bool isPlus)
    {
        if (!_open.TryGetValue(read.Handle, out var open) || open is not OpenFolder folder || Nodes.Find(id) is not { } node)
        {
            _connection.Reply(request, LinuxError.Stale);
            return;
        }

        // From the beginning it is listed anew (rewinddir(3)).
        if (read.Offset == 0 || folder.Items is null)
        {
            if (await FindAsync(node) is not IStoreCollection collection)
            {
                _connection.Reply(request, LinuxError.NoEntry);
                return;
            }

            folder.Changes = node.Changes;
            folder.Items = await ItemsOfAsync(node, collection, folder.Changes);
        }

        // What changes after this answer is told to the kernel after it: it locks the folder meanwhile.
        var isCurrent = folder.Changes == node.Changes;
        _connection.Reply(request, _entries.Write(node, folder.Items, read.Offset, (int)read.Size, isPlus, isCurrent));

        // What changed while it was written may have been told before the kernel had the names.
        if (isCurrent && folder.Changes != node.Changes)
            Raced?.Invoke(node);
    }

    private async ValueTask<List<IStoreItem>> ItemsOfAsync(Node node, IStoreCollection folder, int changes)
    {
        if (_listings.Find(node, folder.ETag) is { } kept)
            return kept;
        var items = new List<IStoreItem>();
        await foreach (var item in folder.GetChildrenAsync(CancellationToken.None))
            items.Add(item);

        // Of the others nothing reports their changes.
        if (folder.Id is not null)
            _listings.Keep(node, folder.ETag, items, changes);
        return items;
    }

    private async ValueTask DeleteAsync(ulong request, ulong parent, string name, bool isFolder) =>
        _connection.Reply(request, await _writes.DeleteAsync(parent, name, isFolder));

    private void Rename(ulong request, ulong node, ulong newFolder, uint flags, ReadOnlySpan<byte> names)
    {
        var name = NameIn(names);
        var newName = NameIn(names[(names.IndexOf((byte)0) + 1)..]);
        Run(request, RenameAsync());

        async ValueTask RenameAsync() =>
            _connection.Reply(request, await _writes.RenameAsync(node, name, newFolder, newName, flags));
    }

    private async ValueTask StatFsAsync(ulong request, ulong id)
    {
        const uint Block = 4096;
        var quota = Nodes.Find(id) is { } node && await FindAsync(node) is IStoreCollection folder ? folder.Quota : StoreQuota.Ample;
        _connection.Reply(request, new StatFsReply
        {
            Blocks = (ulong)(quota.Available + quota.Used) / Block,
            FreeBlocks = (ulong)quota.Available / Block,
            AvailableBlocks = (ulong)quota.Available / Block,
            Files = int.MaxValue,
            FreeFiles = int.MaxValue,
            BlockSize = Block,
            FragmentSize = Block,
            NameLength = LongestName,
        });
    }

    private ulong Add(object open)
    {
        var handle = Interlocked.Increment(ref _lastHandle);
        _open[handle] = open;
        return handle;
    }

    /// <summary>A fault of the program or of the catalog costs one request, never the mount.</summary>
    private void Run(ulong request, ValueTask answer)
    {
        if (!answer.IsCompletedSuccessfully)
            _ = WatchAsync(answer);

        async Task WatchAsync(ValueTask running)
        {
            try
            {
                await running;
            }
            catch (Exception e)
            {
                _context.Faulted(e);
                _connection.Reply(request, LinuxError.InputOutput);
            }
        }
    }

    private static string NameIn(ReadOnlySpan<byte> body) =>
        Encoding.UTF8.GetString(body[..(body.IndexOf((byte)0) is var end and >= 0 ? end : body.Length)]);

    private sealed class OpenFolder
    {
        public List<IStoreItem>? Items { get; set; }

        /// <summary><see cref="Node.Changes"/> before the items were read.</summary>
        public int Changes { get; set; }
    }
}
