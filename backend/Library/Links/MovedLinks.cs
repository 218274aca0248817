using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>Addresses in .strm files of another program: each opens the file that it opened there, while that file exists, and no other. Thread-safe.</summary>
public sealed class MovedLinks(AliasStore aliases) : IOtherLinks
{
    /// <inheritdoc/>
    public async ValueTask<StorePath?> FindAsync(string path, string key, CancellationToken cancellationToken) =>
        await aliases.FindByKeyAsync(path, key, cancellationToken) is { } id ? StorePath.TryParse(IdPath.Of(id)) : null;
}
