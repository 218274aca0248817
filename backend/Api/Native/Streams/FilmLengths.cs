using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Library.Opening;
using NzbDav.WebDav.Streams;

namespace NzbDav.Api.Native.Streams;

/// <summary>Looks up how long films play, according to their containers. Thread-safe.</summary>
internal sealed class FilmLengths(TreeStore tree, FileMedia media) : IFilmLengths
{
    public async ValueTask<TimeSpan?> FindAsync(long file)
    {
        try
        {
            return await tree.GetAsync(file, CancellationToken.None) is { } item
                ? (await media.ReadAsync(item, CancellationToken.None)).Duration : null;
        }
        catch (Exception e) when (e is CatalogException or ContentException or IOException)
        {
            // The client that reads the file is told why it cannot be read.
            return null;
        }
    }
}
