using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using NzbDav.Mount.Protocol;
using NzbDav.WebDav.Store;

namespace NzbDav.Mount;

/// <summary>Writes items as the kernel reads them: attributes, and the entries of lookups and listings. Thread-safe.</summary>
/// <param name="nodes">Numbers the items.</param>
/// <param name="user">The user who owns everything.</param>
/// <param name="group">The group that owns everything.</param>
internal sealed class EntryWriter(NodeTable nodes, uint user, uint group)
{
    /// <summary>Seconds for which the kernel keeps names and attributes: changes are told, so this only bounds a fault.</summary>
    private const ulong Valid = 3_600;

    // The file types of a mode (inode(7)).
    private const uint Folder = 0x4000;
    private const uint Regular = 0x8000;
    private const uint SymbolicLink = 0xA000;

    /// <summary>The answer to a lookup.</summary>
    public EntryReply EntryOf(Node node, IStoreItem item) => new()
    {
        NodeId = node.Id,
        Generation = 0,
        EntryValid = Valid,
        AttributesValid = Valid,
        Attributes = Attributes(node, item),
    };

    /// <summary>The answer to GETATTR.</summary>
    public AttributesReply AttributesOf(Node node, IStoreItem item) =>
        new() { Valid = Valid, Attributes = Attributes(node, item) };

    private FuseAttributes Attributes(Node node, IStoreItem item)
    {
        var size = item is IStoreFile file ? (ulong)file.Length : 0;
        var (modified, modifiedNanoseconds) = TimeOf(item.ModifiedAt);
        var (created, createdNanoseconds) = TimeOf(item.CreatedAt);
        return new()
        {
            Inode = node.Id == NodeTable.RootId ? NodeTable.RootId : InodeOf(item, node),
            Size = size,
            Blocks = (size + 511) / 512,
            AccessTime = modified,
            AccessNanoseconds = modifiedNanoseconds,
            ModifyTime = modified,
            ModifyNanoseconds = modifiedNanoseconds,
            ChangeTime = Math.Max(modified, created),
            ChangeNanoseconds = created > modified ? createdNanoseconds : modifiedNanoseconds,
            Mode = item switch { IStoreCollection => Folder | 0x1ED, IStoreLink => SymbolicLink | 0x1FF, _ => Regular | 0x124 },
            Links = item is IStoreCollection ? 2U : 1,
            User = user,
            Group = group,
            BlockSize = 4096,
        };
    }

    /// <summary>A file keeps its number across mounts, so that media servers recognise it; the others have that of their node.</summary>
    private static ulong InodeOf(IStoreItem item, Node node) =>
        item is IStoreFile { Id: { } id } ? (1UL << 62) | (ulong)id : node.Id;

    private static (ulong Seconds, uint Nanoseconds) TimeOf(DateTimeOffset time)
    {
        var ticks = Math.Max(0, (time - DateTimeOffset.UnixEpoch).Ticks);
        return ((ulong)(ticks / TimeSpan.TicksPerSecond), (uint)(ticks % TimeSpan.TicksPerSecond * 100));
    }

    /// <summary>As many entries as fit: <c>.</c>, <c>..</c>, then the children. Those with attributes are held by the kernel.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="items">All its items.</param>
    /// <param name="offset">Where to begin: the number of the entry.</param>
    /// <param name="size">Most bytes.</param>
    /// <param name="isPlus">True: the kernel asks for attributes too (READDIRPLUS).</param>
    /// <param name="isCurrent">False: some items may have changed, so no attributes are given, which the kernel would keep.</param>
    public byte[] Write(Node folder, List<IStoreItem> items, ulong offset, int size, bool isPlus, bool isCurrent)
    {
        var entries = new byte[size];
        var used = 0;
        Span<byte> name = stackalloc byte[MountedTree.LongestName];
        var head = isPlus ? Unsafe.SizeOf<EntryReply>() : 0;
        for (var index = (int)Math.Min(offset, int.MaxValue); index < items.Count + 2; index++)
        {
            var item = index < 2 ? null : items[index - 2];
            var shown = item is null ? index == 0 ? "." : ".." : NameOf(item);
            if (!Encoding.UTF8.TryGetBytes(shown, name, out var length))
                continue;
            var whole = head + Unsafe.SizeOf<DirectoryEntry>() + ((length + 7) & ~7);
            if (used + whole > size)
                break;
            var at = entries.AsSpan(used, whole);
            ulong inode = folder.Id;
            if (item is not null)
            {
                inode = uint.MaxValue;
                if (isPlus && isCurrent)
                {
                    var entry = EntryOf(nodes.Hold(folder, shown, item), item);
                    inode = entry.Attributes.Inode;
                    MemoryMarshal.Write(at, entry);
                }
            }

            MemoryMarshal.Write(at[head..], new DirectoryEntry
            {
                Inode = inode,
                Offset = (ulong)index + 1,
                NameLength = (uint)length,
                Type = item switch { IStoreFile and not IStoreLink => Regular, IStoreLink => SymbolicLink, _ => Folder } >> 12,
            });
            name[..length].CopyTo(at[(head + Unsafe.SizeOf<DirectoryEntry>())..]);
            used += whole;
        }

        return used == size ? entries : entries[..used];
    }

    private static string NameOf(IStoreItem item) =>
        item is IStoreLink && item.Name.EndsWith(IStoreLink.Suffix, StringComparison.Ordinal)
            ? item.Name[..^IStoreLink.Suffix.Length] : item.Name;
}
