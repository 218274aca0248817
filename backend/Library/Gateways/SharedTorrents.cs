using System.Globalization;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Content.Dialling;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Gateways;

/// <summary>
/// Reads files of torrents where several gateways share the catalog: from the swarm if this gateway owns the torrent, otherwise from the
/// owner. Thread-safe.
/// </summary>
public sealed class SharedTorrents : IDisposable
{
    /// <summary>
    /// Longest wait for bytes of another gateway. Longer than a reader there waits for peers (<c>TorrentOptions.ReaderPatience</c>).
    /// </summary>
    internal static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(60);

    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(5);

    private readonly ViewLinks _links;
    private readonly BufferPool _pool;
    private readonly TimeProvider _time;
    private readonly HttpClient _client;

    /// <param name="owners">Knows and claims the owners of torrents.</param>
    /// <param name="links">Signs the links by which gateways read from each other. All gateways use the same key.</param>
    /// <param name="pool">Lends buffers.</param>
    /// <param name="time">Clock.</param>
    public SharedTorrents(TorrentOwnership owners, ViewLinks links, BufferPool pool, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(owners);
        ArgumentNullException.ThrowIfNull(links);
        ArgumentNullException.ThrowIfNull(pool);
        ArgumentNullException.ThrowIfNull(time);
        (Owners, _links, _pool, _time) = (owners, links, pool, time);
        _client = NewClient();
    }

    internal TorrentOwnership Owners { get; }

    /// <summary>A client that meets the requirements of <see cref="RemoteContent"/>.</summary>
    internal static HttpClient NewClient()
    {
        var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            UseCookies = false,
            AllowAutoRedirect = false,
            ConnectTimeout = ConnectTimeout,
            ConnectCallback = Dialler.Shared.ConnectAsync,

            // Disposing a reader stops the other gateway at once.
            MaxResponseDrainSize = 0,
        };
        var client = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        client.DefaultRequestHeaders.UserAgent.ParseAdd("NzbDav");
        return client;
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();

    /// <summary>A file as the owner of its torrent serves it.</summary>
    /// <exception cref="ContentException">The owner has no address.</exception>
    internal IContent Open(CatalogItem item, TorrentOwner owner)
    {
        var link = _links.PathTo(StorePath.TryParse(OwnPath.Of(item.Id))!, item.Name);
        if (!Uri.TryCreate(owner.Address + link, UriKind.Absolute, out var address))
            throw new ContentException(
                ContentFault.Unavailable, "The torrent of this file is being imported by another process. Try again in a minute.");
        return new RemoteContent(new RemoteFile(address, item.Size, owner.Address), _client, _pool, _time, MaxWait);
    }
}

/// <summary>
/// Paths under which other gateways read files of the torrents that this one owns: <c>/.own/ID</c>. They never read from another gateway,
/// so requests cannot go in a circle.
/// </summary>
internal static class OwnPath
{
    /// <summary>First part of these paths. Never listed.</summary>
    public const string Top = ".own";

    /// <summary>The path of a file, from the root of the tree.</summary>
    public static string Of(long id) => string.Create(CultureInfo.InvariantCulture, $"/{Top}/{id:x16}");

    /// <summary>The id that a name stands for; null if it is none.</summary>
    public static long? TryId(string name) =>
        long.TryParse(name, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var id) && id > 0 ? id : null;
}
