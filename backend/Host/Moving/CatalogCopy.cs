using NzbDav.Catalog.Database;
using NzbDav.Host.Serving;
using NzbDav.Migration.Database;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>A copy of a catalog's database for a dry run, upgraded to the newest schema. Changes to it stay in the copy. Blobs are not
/// copied. Disposal removes it.</summary>
internal sealed class CatalogCopy : IAsyncDisposable
{
    private readonly DirectoryInfo _folder;

    private CatalogCopy(DirectoryInfo folder) => _folder = folder;

    /// <summary>Options for opening the copy.</summary>
    public CatalogOptions Options => new() { ConfigFolder = _folder.FullName };

    /// <summary>The copy, open; null before <see cref="OpenAsync"/>.</summary>
    private CatalogSet? Opened { get; set; }

    /// <summary>Copies a database into a temporary folder.</summary>
    /// <param name="catalog">The catalog; if it has no database, the copy is empty.</param>
    /// <exception cref="MigrationException">It cannot be read.</exception>
    /// <exception cref="IOException">There is no room for a copy.</exception>
    public static CatalogCopy Make(CatalogOptions catalog)
    {
        if (catalog.Connection is not null)
            throw new MigrationException(
                "A dry run works on a copy of the catalog, and one in PostgreSQL is not copied. Run it against a configuration folder of " +
                "its own, without NzbDav__Catalog__Connection.");
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
    public async Task<CatalogSet> OpenAsync(CancellationToken cancellationToken) =>
        Opened = await CatalogSet.OpenAsync(Options, TimeProvider.System, cancellationToken);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Opened is { } opened)
            await opened.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}
