using NzbDav.Catalog;
using NzbDav.Host.Serving;
using NzbDav.Migration.Database;

namespace NzbDav.Host.Moving;

/// <summary>A copy of a catalog's database for a dry run, brought to the newest schema: what is done to it, nobody sees. Blobs are not copied. Disposal removes it.</summary>
internal sealed class CatalogCopy : IAsyncDisposable
{
    private readonly DirectoryInfo _folder;

    private CatalogCopy(DirectoryInfo folder) => _folder = folder;

    /// <summary>How the copy is opened.</summary>
    public CatalogOptions Options => new() { ConfigFolder = _folder.FullName };

    /// <summary>The copy, open; null before <see cref="OpenAsync"/>.</summary>
    private CatalogSet? Opened { get; set; }

    /// <summary>Copies a database into the folder for temporary files.</summary>
    /// <param name="catalog">The catalog; where it has no database the copy is empty.</param>
    /// <exception cref="Migration.Titles.MigrationException">It cannot be read.</exception>
    /// <exception cref="IOException">There is no room for a copy.</exception>
    public static CatalogCopy Make(CatalogOptions catalog)
    {
        var copy = new CatalogCopy(Directory.CreateTempSubdirectory("nzbdav-dry-"));
        try
        {
            if (File.Exists(catalog.DatabasePath))
                DatabaseCopy.Make(catalog.DatabasePath, copy.Options.DatabasePath);
            return copy;
        }
        catch
        {
            copy._folder.Delete(recursive: true);
            throw;
        }
    }

    /// <exception cref="CatalogException">It cannot be opened.</exception>
    public async Task<CatalogSet> OpenAsync(CancellationToken cancellationToken) => Opened = await CatalogSet.OpenAsync(Options, TimeProvider.System, cancellationToken);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Opened is { } opened)
            await opened.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}
