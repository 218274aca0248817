using System.Web;
using NzbDav.Catalog.Moving;
using NzbDav.Library.Links;

namespace NzbDav.Library.Holding;

/// <summary>Finds the file that a link of another program leads to, by the paths that came with its titles.</summary>
public static class MovedLink
{
    /// <summary>The most names in a path; library links are not deeper.</summary>
    private const int MostNames = 64;

    /// <summary>The id of the file; null: the link leads elsewhere.</summary>
    /// <param name="aliases">The paths.</param>
    /// <param name="target">The link's target, or the address in a .strm file.</param>
    /// <param name="isMount">
    /// Tells whether the other program's tree was mounted at a path; asked of paths that are only names, which a real file may have as well. Null: it may have been mounted anywhere.
    /// </param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<long?> FindAsync(AliasStore aliases, string target, Predicate<string>? isMount, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(aliases);
        ArgumentNullException.ThrowIfNull(target);
        if (!await aliases.AnyAsync(cancellationToken))
            return null;
        var names = NamesIn(target);
        if (names.Length > MostNames)
            return null;

        // The longest first: the mount's own path is in front.
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
