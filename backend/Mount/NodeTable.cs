using NzbDav.WebDav.Store;

namespace NzbDav.Mount;

/// <summary>
/// The items that the kernel knows, by the numbers that it calls them. A node stays while the kernel holds it, and while it has children.
/// Thread-safe.
/// </summary>
internal sealed class NodeTable
{
    /// <summary>The root's number (<c>FUSE_ROOT_ID</c>).</summary>
    public const ulong RootId = 1;

    private readonly Lock _gate = new();
    private readonly Dictionary<ulong, Node> _nodes = [];
    private ulong _last = RootId;

    public NodeTable() => _nodes[RootId] = new Node(RootId, parent: null, name: "", "");

    /// <summary>Number of nodes.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _nodes.Count;
        }
    }

    /// <summary>The node with a number; null if the kernel has forgotten it.</summary>
    public Node? Find(ulong id)
    {
        lock (_gate)
            return _nodes.GetValueOrDefault(id);
    }

    /// <summary>The node of a child, which the kernel now holds once more. Another item under the same name is another node.</summary>
    /// <param name="parent">The folder.</param>
    /// <param name="name">The name in the mount.</param>
    /// <param name="item">The item that has it now.</param>
    public Node Hold(Node parent, string name, IStoreItem item)
    {
        lock (_gate)
        {
            if (!parent.Children.TryGetValue(name, out var node) || !node.IsSameAs(item))
            {
                if (node is not null)
                    node.IsDetached = true;
                node = new Node(++_last, parent, name, item.Name);
                _nodes[node.Id] = node;
                parent.Children[name] = node;
            }

            node.Item = item;
            node.Lookups++;
            return node;
        }
    }

    /// <summary>The kernel holds a node fewer times.</summary>
    public void Forget(ulong id, ulong lookups)
    {
        lock (_gate)
        {
            if (id == RootId || !_nodes.TryGetValue(id, out var node))
                return;
            node.Lookups -= Math.Min(node.Lookups, lookups);
            DropIfUnused(node);
        }
    }

    /// <summary>The path of a node in the store; null once it or a folder above it was replaced or removed.</summary>
    public StorePath? PathOf(Node node)
    {
        var names = new Stack<string>();
        lock (_gate)
        {
            for (var at = node; at.Parent is { } parent; at = parent)
            {
                if (at.IsDetached)
                    return null;
                names.Push(at.StoreName);
            }
        }

        var path = StorePath.Root;
        foreach (var name in names)
            path = path.Child(name);
        return path;
    }

    /// <summary>A child was deleted: its number no longer leads to the path.</summary>
    public void Detach(Node parent, string name)
    {
        lock (_gate)
        {
            if (!parent.Children.Remove(name, out var node))
                return;
            node.IsDetached = true;
            DropIfUnused(node);
        }
    }

    /// <summary>A child was moved or renamed: its number leads to the new path, with everything below it.</summary>
    /// <param name="parent">The old folder.</param>
    /// <param name="name">The old name.</param>
    /// <param name="target">The new folder.</param>
    /// <param name="newName">The new name in the mount.</param>
    /// <param name="newStoreName">The new name in the store.</param>
    public void Move(Node parent, string name, Node target, string newName, string newStoreName)
    {
        lock (_gate)
        {
            if (target.Children.Remove(newName, out var replaced))
            {
                replaced.IsDetached = true;
                DropIfUnused(replaced);
            }

            if (!parent.Children.Remove(name, out var node))
                return;
            (node.Parent, node.Name, node.StoreName) = (target, newName, newStoreName);
            target.Children[newName] = node;
        }
    }

    /// <summary>The children of a folder that the kernel knows.</summary>
    public Node[] ChildrenOf(Node folder)
    {
        lock (_gate)
            return [.. folder.Children.Values];
    }

    /// <summary>All folders.</summary>
    public Node[] Folders()
    {
        lock (_gate)
            return [.. _nodes.Values.Where(static node => node.Children.Count > 0 || node.Item is IStoreCollection)];
    }

    private void DropIfUnused(Node node)
    {
        while (node is { Lookups: 0, Children.Count: 0, Parent: { } parent })
        {
            _nodes.Remove(node.Id);
            if (parent.Children.TryGetValue(node.Name, out var current) && current == node)
                parent.Children.Remove(node.Name);
            node = parent;
        }
    }
}

/// <summary>
/// An item that the kernel knows. Guarded by its table's lock, except for <see cref="Item"/>, which is replaced as a whole.
/// </summary>
/// <param name="id">The number by which the kernel calls it.</param>
/// <param name="parent">The folder; null: it is the root.</param>
/// <param name="name">Its name in the mount.</param>
/// <param name="storeName">Its name in the store.</param>
internal sealed class Node(ulong id, Node? parent, string name, string storeName)
{
    private int _open;
    private int _changes;

    public ulong Id => id;

    /// <summary>True while a program has it open as a file.</summary>
    public bool IsOpen => Volatile.Read(ref _open) > 0;

    public Node? Parent { get; set; } = parent;

    public string Name { get; set; } = name;

    public string StoreName { get; set; } = storeName;

    /// <summary>As it was last looked up or listed; null: the root, before it was first looked up.</summary>
    public IStoreItem? Item { get; set; }

    /// <summary>How many times the kernel holds it.</summary>
    public ulong Lookups { get; set; }

    /// <summary>Another item has its name, or none.</summary>
    public bool IsDetached { get; set; }

    public Dictionary<string, Node> Children { get; } = new(StringComparer.Ordinal);

    /// <summary>The version of the content that the kernel's pages are of; null: it has none.</summary>
    public string? CachedVersion { get; set; }

    /// <summary>How often its children have changed while the kernel knew it.</summary>
    public int Changes => Volatile.Read(ref _changes);

    public void Changed() => Interlocked.Increment(ref _changes);

    public void Opened() => Interlocked.Increment(ref _open);

    public void Closed() => Interlocked.Decrement(ref _open);

    /// <summary>True if an item found under the same name is the same file or folder, perhaps changed.</summary>
    public bool IsSameAs(IStoreItem item) => (Item, item) switch
    {
        (null, _) => true,
        (IStoreFile before, IStoreFile now) => before.Id == now.Id && before.Length == now.Length,
        (IStoreCollection before, IStoreCollection now) => before.Id == now.Id,
        _ => Item.IsCollection == item.IsCollection,
    };
}
