using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.View;

/// <summary>Addresses that another program wrote into .strm files. Thread-safe.</summary>
public interface IOtherLinks
{
    /// <summary>The file that an address opens; null: it opens nothing.</summary>
    /// <param name="path">The path in the address, names joined by '/'.</param>
    /// <param name="key">The key in the address.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    ValueTask<StorePath?> FindAsync(string path, string key, CancellationToken cancellationToken);
}
