using NzbDav.WebDav.Store;

namespace NzbDav.Library.Scratch;

/// <summary>Finds the items of a scratch folder on its disk. Links are not followed. Stateless, thread-safe.</summary>
internal static class ScratchTree
{
    /// <summary>The item at names from the folder down; null if there is none.</summary>
    public static IStoreItem? Find(ScratchFolder folder, ReadOnlySpan<string> names)
    {
        var path = folder.Root;
        for (var i = 0; i < names.Length; i++)
        {
            if (!ScratchFolder.IsName(names[i]))
                return null;
            path = Path.Combine(path, names[i]);

            // On the way too: a link in the middle would lead out.
            if (Item(folder, path) is not { } item || (item is ScratchFile && i < names.Length - 1))
                return null;
        }

        return names.IsEmpty ? new ScratchCollection(folder, new DirectoryInfo(folder.Root), ScratchFolder.Top) : Item(folder, path);
    }

    /// <summary>The item at a path on the disk; null if there is none, or it is a link.</summary>
    public static IStoreItem? Item(ScratchFolder folder, string path)
    {
        var directory = new DirectoryInfo(path);
        if (directory.Exists)
            return directory.LinkTarget is null ? new ScratchCollection(folder, directory, directory.Name) : null;
        var file = new FileInfo(path);
        return file.Exists && file.LinkTarget is null ? new ScratchFile(folder, file) : null;
    }
}
