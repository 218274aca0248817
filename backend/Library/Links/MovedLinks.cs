using NzbDav.Catalog.Moving;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Links;

/// <summary>Addresses in .strm files of another program: each opens the file that it opened there, while that file exists, and no other. Thread-safe.</summary>
public sealed class MovedLinks(AliasStore aliases) : IOtherLinks
{
    /// <inheritdoc/>
    public async ValueTask<StorePath?> FindAsync(string path, string key, CancellationToken cancellationToken) =>
        await aliases.FindByKeyAsync(path, key, cancellationToken) is { } id ? StorePath.TryParse(IdPath.Of(id)) : null;
}
