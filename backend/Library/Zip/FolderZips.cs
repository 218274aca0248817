using System.Security.Cryptography;
using System.Text;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Library.Opening;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Zip;

/// <summary>Serves folders as .zip files. Nothing is stored: the tree is read for each request. Thread-safe.</summary>
public sealed class FolderZips(TreeStore tree, UnwantedItems unwanted, ContentOpener opener)
{
    /// <summary>Most entries of one archive: some 200 bytes of memory each while it is sent.</summary>
    internal const int MostEntries = 100_000;

    private readonly FileChecksums _checksums = new();

    /// <summary>A folder as an archive of everything that is visible below it, inside a folder of the same name.</summary>
    /// <returns>Null if there are more than 100,000 files.</returns>
    public async ValueTask<IStoreFile?> MakeAsync(CatalogItem folder, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(folder);
        var entries = new List<ZipEntry>();
        if (!await AddAsync(folder, folder.Name + "/", entries, cancellationToken))
            return null;
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var modified = folder.Modified;
        foreach (var entry in entries)
        {
            hash.AppendData(
                Encoding.UTF8.GetBytes(FormattableString.Invariant($"{entry.Path}\0{entry.Item?.ETag}\0{entry.Modified.UtcTicks}\n")));
            if (entry.Modified > modified)
                modified = entry.Modified;
        }

        var etag = $"\"zip-{Convert.ToHexStringLower(hash.GetHashAndReset().AsSpan(0, 16))}\"";
        return new ZipFile(folder.Id, folder.Name + ".zip", modified, etag, new ZipContent(new ZipLayout(entries), OpenAsync, _checksums));
    }

    private async ValueTask<IContent> OpenAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        try
        {
            return await opener.OpenAsync(item, cancellationToken);
        }
        catch (CatalogException e)
        {
            throw new ContentException(
                e.Fault is CatalogFault.Busy or CatalogFault.Unavailable ? ContentFault.Unavailable : ContentFault.Corrupt, e.Message, e);
        }
    }

    /// <returns>False if there are too many files.</returns>
    private async ValueTask<bool> AddAsync(CatalogItem folder, string path, List<ZipEntry> entries, CancellationToken cancellationToken)
    {
        var isEmpty = true;
        await foreach (var child in tree.ListAsync(folder.Id, after: null, cancellationToken))
        {
            if (unwanted.IsHidden(child.Id))
                continue;
            isEmpty = false;
            if (child.IsCollection)
            {
                if (!await AddAsync(child, path + child.Name + "/", entries, cancellationToken))
                    return false;
                continue;
            }

            if (entries.Count >= MostEntries)
                return false;
            entries.Add(new ZipEntry(path + child.Name, child, child.Modified));
        }

        if (isEmpty && entries.Count < MostEntries)
            entries.Add(new ZipEntry(path, item: null, folder.Modified));
        return true;
    }
}

/// <summary>
/// A folder as a .zip that is served like any other file: with its length, ranges and an entity tag that changes with its contents.
/// </summary>
internal sealed class ZipFile(long folderId, string name, DateTimeOffset modified, string etag, ZipContent content) : IStoreFile
{
    public long? Id => folderId;

    public string Name => name;

    public DateTimeOffset CreatedAt => modified;

    public DateTimeOffset ModifiedAt => modified;

    public string ETag => etag;

    public long Length => content.Length;

    public string ContentType => "application/zip";

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreOpenResult.Of((IContent)content));
}
