using NzbDav.Mount.Protocol;
using NzbDav.WebDav.Store;

namespace NzbDav.Mount;

/// <summary>Deletes and renames in the mount: what WebDAV clients may do, by the same rules of the store. Thread-safe.</summary>
/// <param name="tree">The tree.</param>
/// <param name="context">Logs refusals.</param>
internal sealed class MountedWrites(MountedTree tree, MountContext context)
{
    /// <summary><c>renameat2</c> must not replace.</summary>
    private const uint NoReplace = 1;

    /// <summary>Deletes a file, a link or an empty folder.</summary>
    public async ValueTask<LinuxError> DeleteAsync(ulong parentId, string name, bool isFolder)
    {
        if (tree.Nodes.Find(parentId) is not { } parent || tree.Nodes.PathOf(parent) is not { } path
            || await tree.FindAsync(parent) is not IStoreCollection collection || await tree.FindAsync(path, name) is not { } item)
            return LinuxError.NoEntry;

        var error = item is not IStoreCollection child ? isFolder ? LinuxError.NotDirectory : LinuxError.None
            : !isFolder ? LinuxError.IsDirectory
            : await IsEmptyAsync(child) ? LinuxError.None : LinuxError.NotEmpty;
        if (error == LinuxError.None)
            error = ErrorOf(await collection.DeleteAsync(item.Name, CancellationToken.None), "delete", path, name);
        if (error == LinuxError.None)
        {
            tree.Nodes.Detach(parent, name);
            tree.Outdate(parent);
        }

        return error;
    }

    /// <summary>Renames or moves what has a name.</summary>
    public async ValueTask<LinuxError> RenameAsync(ulong fromId, string name, ulong toId, string newName, uint flags)
    {
        if (tree.Nodes.Find(fromId) is not { } from || tree.Nodes.Find(toId) is not { } to || tree.Nodes.PathOf(from) is not { } fromPath
            || tree.Nodes.PathOf(to) is not { } toPath || await tree.FindAsync(from) is not IStoreCollection source
            || await tree.FindAsync(to) is not IStoreCollection target || await tree.FindAsync(fromPath, name) is not { } item)
            return LinuxError.NoEntry;

        var there = await tree.FindAsync(toPath, newName);
        var storeName = item is IStoreLink ? newName + IStoreLink.Suffix : newName;
        var error = flags is not (0 or NoReplace) ? LinuxError.Invalid
            : there is null ? LinuxError.None
            : flags == NoReplace ? LinuxError.Exists
            : there is IStoreCollection replaced
                ? item is not IStoreCollection
                    ? LinuxError.IsDirectory
                    : await IsEmptyAsync(replaced) ? LinuxError.None : LinuxError.NotEmpty
            : item is IStoreCollection ? LinuxError.NotDirectory : LinuxError.None;
        if (error == LinuxError.None && source.RefusalOf(target, storeName, isMove: true) is { } refusal)
            error = ErrorOf(refusal, "move", fromPath, name);
        if (error == LinuxError.None && there is IStoreCollection)
            error = ErrorOf(await target.DeleteAsync(there.Name, CancellationToken.None), "replace", toPath, newName);
        if (error == LinuxError.None)
            error = ErrorOf(await source.MoveAsync(item.Name, target, storeName, CancellationToken.None), "move", fromPath, name);
        if (error == LinuxError.None)
        {
            tree.Nodes.Move(from, name, to, newName, storeName);
            tree.Outdate(from);
            tree.Outdate(to);
        }

        return error;
    }

    private static async ValueTask<bool> IsEmptyAsync(IStoreCollection folder)
    {
        await foreach (var unused in folder.GetChildrenAsync(CancellationToken.None))
            return false;
        return true;
    }

    private LinuxError ErrorOf(StoreWriteResult result, string verb, StorePath folder, string name)
    {
        if (result.Status is StoreWriteStatus.Created or StoreWriteStatus.Replaced or StoreWriteStatus.Deleted)
            return LinuxError.None;
        context.Refused(verb, folder.Child(name), result.Reason);
        return result.Status switch
        {
            StoreWriteStatus.Forbidden => LinuxError.AccessDenied,
            StoreWriteStatus.NotFound => LinuxError.NoEntry,
            StoreWriteStatus.InsufficientStorage => LinuxError.NoSpace,
            StoreWriteStatus.Invalid => LinuxError.Invalid,
            _ => LinuxError.Busy,
        };
    }
}
