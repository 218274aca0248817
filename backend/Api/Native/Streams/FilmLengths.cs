using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Library;
using NzbDav.WebDav.Streams;

namespace NzbDav.Api.Native.Streams;

/// <summary>How long films play, by what their containers say. Thread-safe.</summary>
internal sealed class FilmLengths(TreeStore tree, FileMedia media) : IFilmLengths
{
    public async ValueTask<TimeSpan?> FindAsync(long file)
    {
        try
        {
            return await tree.GetAsync(file, CancellationToken.None) is { } item ? (await media.ReadAsync(item, CancellationToken.None)).Duration : null;
        }
        catch (Exception e) when (e is CatalogException or ContentException or IOException)
        {
            // Who reads it hears why it cannot be read.
            return null;
        }
    }
}
