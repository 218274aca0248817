using NzbDav.Catalog.Tree;
using NzbDav.Library;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Host.Moving;

/// <summary>The targets of library links to files here: the same paths and addresses as in <c>/completed-symlinks</c>.</summary>
/// <param name="tree">The files.</param>
/// <param name="options">Where the tree is mounted, and its public address.</param>
/// <param name="views">Signs addresses.</param>
internal sealed class LinkTargets(TreeStore tree, LibraryOptions options, ViewLinks views)
{
    /// <summary>True if a link points here, by a path or an address of this program.</summary>
    public bool IsOurs(string target)
    {
        if (target.Contains("://", StringComparison.Ordinal))
        {
            return options.AddressRoot.Length > 0 && target.StartsWith(options.AddressRoot + ViewLinks.Mount + "/", StringComparison.Ordinal)
                && views.TryRead(target.AsSpan(options.AddressRoot.Length + ViewLinks.Mount.Length + 1).ToString().Split('/')[0]) is not null;
        }

        var names = target.Split('/');
        return names.Length > 2 && names.Contains(".ids") && names[^1].Length == 16;
    }

    /// <summary>The path for a symbolic link; null: the file is gone.</summary>
    public async Task<string?> PathOf(long id, CancellationToken cancellationToken) =>
        await tree.ResolveAsync(id, cancellationToken) is null ? null : options.MountPath + LibraryStore.StablePath(id);

    /// <summary>The address for a .strm file; null: the file is gone.</summary>
    /// <exception cref="Serving.ServerStartException">This server's public address is not set.</exception>
    public async Task<string?> AddressOf(long id, CancellationToken cancellationToken)
    {
        if (await tree.ResolveAsync(id, cancellationToken) is not { } item)
            return null;
        if (options.AddressRoot.Length == 0)
            throw new Serving.ServerStartException("there are .strm files to rewrite, but NzbDav__Strm__Url does not say how players reach this server: set it to an address such as http://192.168.1.2:8080.");
        return options.AddressRoot + views.PathTo(StorePath.TryParse(LibraryStore.StablePath(id))!, item.Name);
    }
}
