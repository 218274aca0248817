using System.Collections.Concurrent;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.WebSeeds;

/// <summary>The files of a torrent at one web seed. Remembers their addresses after redirects. Thread-safe.</summary>
/// <param name="client">Sends the requests.</param>
/// <param name="seed">The web seed.</param>
/// <param name="info">The torrent.</param>
internal sealed class WebSeedFiles(WebSeedClient client, Uri seed, TorrentInfo info)
{
    private readonly ConcurrentDictionary<int, Uri> _found = new();

    /// <summary>The torrent.</summary>
    public TorrentInfo Info => info;

    /// <summary>Starts reading a run from its first byte. The reader sends its first request when bytes are read.</summary>
    public WebSeedReader Read(WebSeedRun run) => new(this, run);

    /// <summary>
    /// Requests a part of a file: first from the address after an earlier redirect, if any, then from the file's own address.
    /// </summary>
    /// <exception cref="HttpRequestException">The server cannot be reached.</exception>
    internal async Task<WebSeedAnswer> RequestAsync(int index, long start, long end, CancellationToken cancellationToken)
    {
        var file = info.Files[index];
        if (_found.TryGetValue(index, out var found))
        {
            try
            {
                var again = await client.RequestAsync(found, start, end, file.Length, cancellationToken);
                if (again.Fault is null)
                    return again;
            }
            catch (HttpRequestException)
            {
                // A redirect may expire. The seed may now redirect to another address.
            }

            _found.TryRemove(index, out _);
        }

        var address = WebSeedAddress.Of(seed, info, file);
        var answer = await client.RequestAsync(address, start, end, file.Length, cancellationToken);
        if (answer.Fault is null && answer.Address != address)
            _found[index] = answer.Address;
        return answer.Fault is { } fault ? answer with { Fault = fault with { File = index } } : answer;
    }
}

/// <summary>Addresses of a torrent's files at a web seed (BEP 19).</summary>
internal static class WebSeedAddress
{
    /// <summary>
    /// The address of a file. BEP 19: "If the web seed URL ends in a slash, the client adds the name of the torrent". For a torrent with
    /// folders, the URL is always that of the folder above them, but some lack the slash.
    /// </summary>
    public static Uri Of(Uri seed, TorrentInfo info, TorrentFile file)
    {
        var start = seed.GetLeftPart(UriPartial.Query);
        if (info.IsSingleFile && !start.EndsWith('/'))
            return new Uri(start);
        var slash = start.EndsWith('/') ? "" : "/";
        var name = info.Address ?? PercentText.EscapePath(info.Name);
        return new Uri(info.IsSingleFile ? start + name : $"{start}{slash}{name}/{file.Address ?? PercentText.EscapePath(file.Path)}");
    }
}
