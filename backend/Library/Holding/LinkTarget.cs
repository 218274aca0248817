using NzbDav.Catalog.Jobs;
using NzbDav.Library.Links;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Holding;

/// <summary>Finds what a library's link leads to. In doubt, a link counts as leading here, so that the file is not deleted.</summary>
internal static class LinkTarget
{
    /// <summary>The paths in the tree that a link's text may name, without the mount's path or the server's address; none if it leads elsewhere.</summary>
    public static IEnumerable<StorePath> PathsIn(string target)
    {
        if (!target.Contains("://", StringComparison.Ordinal))
            return PathsOf(target.Split('/', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));
        if (!Uri.TryCreate(target, UriKind.Absolute, out var address))
            return [];
        var names = address.AbsolutePath.Split('/', StringSplitOptions.RemoveEmptyEntries).Select(Uri.UnescapeDataString).ToArray();
        var view = Array.IndexOf(names, ViewLinks.Mount[1..]);
        return view >= 0 && view + 1 < names.Length && ViewLinks.PathIn(names[view + 1]) is { } signed ? [signed] : PathsOf(names);
    }

    /// <summary>The file that a path below <c>/.ids</c> names; null if the path is another one.</summary>
    public static long? IdIn(StorePath path)
    {
        if (path.Segments is not [IdPath.Top, _, _, _, _, _, var name])
            return null;
        return IdPath.TryPrefix([.. path.Segments[1..^1]]) is { } shard ? IdPath.TryId(name, shard) : null;
    }

    // Each of them: a mount may be below a folder of such a name, and a job may have such a folder.
    private static IEnumerable<StorePath> PathsOf(string[] names) =>
        from start in Enumerable.Range(0, names.Length)
        where names[start] is IdPath.Top or LinkView.Top or JobStore.ContentCollection
        let path = StorePath.TryParse("/" + string.Join('/', names[start..].Select(Uri.EscapeDataString)))
        where path is not null
        select path;
}
