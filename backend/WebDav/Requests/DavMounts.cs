using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Requests;

/// <summary>
/// The paths under which the tree is served: the mount, the mount twice (for programs that add it to an address that has it already), and
/// single folders of the tree at the root, where programs that know one address for everything look for them. Hrefs begin with the form
/// that was requested. Immutable.
/// </summary>
internal sealed class DavMounts
{
    private readonly PathString _mount;
    private readonly string _encoded;
    private readonly string[] _names;

    /// <param name="mount">Path below the URL base; <c>/</c> for all of it.</param>
    /// <param name="atRoot">Top-level names of the tree that are also served at the root.</param>
    public DavMounts(string mount, IReadOnlyList<string> atRoot)
    {
        var path = StorePath.TryParse(mount) ?? throw new ArgumentException("The mount must be a path.", nameof(mount));
        _mount = new PathString(path.IsRoot ? null : "/" + string.Join('/', path.Segments));
        _encoded = path.ToString();
        _names = [.. atRoot];
        Roots = _mount.HasValue ? [_encoded, _encoded + _encoded, .. _names.Length > 0 ? [""] : Array.Empty<string>()] : [""];
    }

    /// <summary>Possible prefixes between the URL base and a path of the tree, encoded, the usual one first.</summary>
    public IReadOnlyList<string> Roots { get; }

    /// <summary>The prefix of a path, encoded; null if the path is not in the tree.</summary>
    /// <param name="path">Below the URL base, decoded except for slashes.</param>
    /// <param name="rest">The path in the tree.</param>
    public string? Match(PathString path, out PathString rest)
    {
        if (path.StartsWithSegments(_mount, StringComparison.Ordinal, out rest))
        {
            if (!_mount.HasValue || !rest.StartsWithSegments(_mount, StringComparison.Ordinal, out var again))
                return _encoded;
            rest = again;
            return _encoded + _encoded;
        }

        rest = path;
        return Holds(path.Value) ? "" : null;
    }

    /// <summary>True for the root and for paths between it and the mount, and for <c>*</c>, which has no path.</summary>
    public bool IsAbove(PathString path) => _mount.StartsWithSegments(path.Value?.TrimEnd('/') ?? "", StringComparison.Ordinal);

    /// <summary>True if a path of the tree can be requested under a root, which is one of <see cref="Roots"/>.</summary>
    public bool Serves(string root, StorePath path) =>
        root.Length > 0 || !_mount.HasValue || (!path.IsRoot && Array.IndexOf(_names, path.Segments[0]) >= 0);

    /// <summary>A tree of the folders on the way to the mount, and of the names served at the root.</summary>
    /// <param name="path">Above the mount.</param>
    /// <param name="store">The tree itself.</param>
    /// <param name="cancellationToken">Fires when the client is gone.</param>
    public async ValueTask<IStore> AboveAsync(StorePath path, IStore store, CancellationToken cancellationToken)
    {
        var root = await store.GetItemAsync(StorePath.Root, cancellationToken) as IStoreCollection
            ?? throw new InvalidOperationException("The tree has no root.");
        var mount = StorePath.TryParse(_encoded)!;
        var likeRoot = (root.CreatedAt, root.ModifiedAt, root.ETag, root.Quota);
        var children = new List<IStoreItem> { new Folder(mount.Segments[path.Segments.Length], likeRoot, []) };
        foreach (var name in path.IsRoot ? _names : [])
        {
            if (await store.GetItemAsync(StorePath.Root.Child(name), cancellationToken) is { } item)
                children.Add(item);
        }

        return new Above(new Folder(path.Name, likeRoot, children));
    }

    // Slashes may be encoded, as in /content%2Ftv.
    private bool Holds(string? path)
    {
        var rest = path.AsSpan();
        while (SlashAt(rest) == 0)
            rest = rest[(rest[0] == '/' ? 1 : 3)..];
        var first = SlashAt(rest) is var end and >= 0 ? rest[..end] : rest;
        foreach (var name in _names)
        {
            if (first.Equals(name, StringComparison.Ordinal))
                return true;
        }

        return false;
    }

    private static int SlashAt(ReadOnlySpan<char> path)
    {
        var (plain, encoded) = (path.IndexOf('/'), path.IndexOf("%2F", StringComparison.OrdinalIgnoreCase));
        return plain < 0 || (encoded >= 0 && encoded < plain) ? encoded : plain;
    }

    private sealed class Above(Folder item) : IStore
    {
        public ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken) =>
            ValueTask.FromResult<IStoreItem?>(item);

        public ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken) =>
            GetItemAsync(path, cancellationToken);

        public bool MayHoldJunk(StorePath path) => false;

        public bool MayListDeep(StorePath path) => false;
    }

    /// <summary>A read-only folder with the dates of the tree's root.</summary>
    private sealed class Folder(
        string name, (DateTimeOffset Created, DateTimeOffset Modified, string ETag, StoreQuota Quota) root,
        IReadOnlyList<IStoreItem> children)
        : IStoreCollection
    {
        public string Name => name;

        public DateTimeOffset CreatedAt => root.Created;

        public DateTimeOffset ModifiedAt => root.Modified;

        public string ETag => root.ETag;

        public StoreQuota Quota => root.Quota;

        public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
        {
            foreach (var child in children)
                yield return child;
            await ValueTask.CompletedTask;
        }

        public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
            ValueTask.FromResult(StoreWriteResult.Forbidden);

        public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) =>
            ValueTask.FromResult(StoreWriteResult.Forbidden);
    }
}
