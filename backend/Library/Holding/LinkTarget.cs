using System.Web;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Links;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Holding;

/// <summary>
/// Finds the paths that a library's link leads to. In doubt, a link counts as leading here, so that no file is deleted by mistake.
/// </summary>
internal static class LinkTarget
{
    /// <summary>
    /// The paths in the tree that a link's text may name, without the mount's path or the server's address; none if it leads elsewhere.
    /// </summary>
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

    /// <summary>The file that a path below <c>/.ids</c> names; null for any other path.</summary>
    public static long? IdIn(StorePath path)
    {
        if (path.Segments is not [IdPath.Top, _, _, _, _, _, var name])
            return null;
        return IdPath.TryPrefix([.. path.Segments[1..^1]]) is { } shard ? IdPath.TryId(name, shard) : null;
    }

    // Try every possible start: a mount may be below a folder with one of these names, and a job may contain such a folder.
    private static IEnumerable<StorePath> PathsOf(string[] names) =>
        from start in Enumerable.Range(0, names.Length)
        where names[start] is IdPath.Top or LinkView.Top or JobStore.ContentCollection
        let path = StorePath.TryParse("/" + string.Join('/', names[start..].Select(Uri.EscapeDataString)))
        where path is not null
        select path;
}

/// <summary>Finds the file that a library's link leads to.</summary>
public static class LinkedFile
{
    /// <summary>The id of the file; null: the link leads elsewhere, or to several files.</summary>
    /// <param name="tree">The files.</param>
    /// <param name="aliases">Paths that files had in other programs.</param>
    /// <param name="target">The link's target, or the address in a .strm file.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<long?> FindAsync(TreeStore tree, AliasStore aliases, string target, CancellationToken cancellationToken)
    {
        var (held, _) = await new LibraryReader(tree, aliases).ReadAsync([new OneLink(target)], accept: false, cancellationToken);
        return held.Count == 1 ? held.Keys.Single() : null;
    }

    private sealed class OneLink(string target) : ILibrarySource
    {
        public string Name => "";

        public string? Folder => null;

        public string Prefix => "";

        public string? Category => null;

        public Task<SourceReading> ReadAsync(CancellationToken cancellationToken) =>
            Task.FromResult(new SourceReading([new FoundLink("", target)], null));

        public Task<ImportAnswer> FindImportAsync(AbandonedJob job, CancellationToken cancellationToken) =>
            Task.FromResult(ImportAnswer.NotApplicable);
    }
}

/// <summary>Finds the file that another program's link leads to, by the paths that were imported with its titles.</summary>
public static class MovedLink
{
    /// <summary>Most names in a path; library links are not deeper.</summary>
    private const int MostNames = 64;

    /// <summary>The id of the file; null: the link leads elsewhere.</summary>
    /// <param name="aliases">Paths that files had in other programs.</param>
    /// <param name="target">The link's target, or the address in a .strm file.</param>
    /// <param name="isMount">True if the other program's tree was mounted at a path. Asked for paths that consist of names only, as a real
    /// file may have the same. Null: it may have been mounted anywhere.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<long?> FindAsync(
        AliasStore aliases, string target, Predicate<string>? isMount, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(aliases);
        ArgumentNullException.ThrowIfNull(target);
        if (!await aliases.AnyAsync(cancellationToken))
            return null;
        var names = NamesIn(target);
        if (names.Length > MostNames)
            return null;

        // The longest path first: names of the mount's own path may precede the aliased path.
        var isAddress = target.Contains("://", StringComparison.Ordinal);
        for (var start = 0; start < names.Length; start++)
        {
            if (!isAddress && names[start] != IdPath.Top && isMount?.Invoke("/" + string.Join('/', names[..start])) == false)
                continue;
            if (await aliases.FindAsync(string.Join('/', names[start..]), cancellationToken) is { } id)
                return id;
        }

        return null;
    }

    private static string[] NamesIn(string target)
    {
        if (!target.Contains("://", StringComparison.Ordinal))
            return target.Split('/', StringSplitOptions.RemoveEmptyEntries);
        if (!Uri.TryCreate(target, UriKind.Absolute, out var address))
            return [];

        // altmount: /api/files/stream?path=movies/Film/film.mkv&download_key=…
        if (address.AbsolutePath.EndsWith("/files/stream", StringComparison.Ordinal))
            return (HttpUtility.ParseQueryString(address.Query)["path"] ?? "").Split('/', StringSplitOptions.RemoveEmptyEntries);

        // nzbdav: /view/.ids/8/f/3/e/3/8f3e356e-…?downloadKey=…&extension=mkv
        return [.. address.AbsolutePath.Split('/', StringSplitOptions.RemoveEmptyEntries).Select(Uri.UnescapeDataString)];
    }
}
