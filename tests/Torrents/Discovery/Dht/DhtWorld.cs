using System.Globalization;
using System.Net;
using NzbDav.Fakes;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Tests.Datagrams;

namespace NzbDav.Torrents.Tests.Discovery.Dht;

/// <summary>Many nodes on a virtual network; the first is the router of the others.</summary>
internal sealed class DhtWorld : IDisposable
{
    private readonly List<DhtNetwork> _nodes = [];

    public DhtWorld() => Network = new VirtualNetwork(Time);

    public ManualTimeProvider Time { get; } = new();

    public VirtualNetwork Network { get; }

    public IReadOnlyList<DhtNetwork> Nodes => _nodes;

    /// <summary>Host number n: 11.n.1.1 and, if it has IPv6, 2001:db8:n::1.</summary>
    public VirtualNetwork.VirtualChannel Join(int number, bool four = true, bool six = false)
    {
        string[] addresses =
        [
            .. four ? new[] { string.Create(CultureInfo.InvariantCulture, $"{11 + (number / 200)}.{1 + (number % 200)}.1.1:6881") } : [],
            .. six ? new[] { string.Create(CultureInfo.InvariantCulture, $"[2001:db8:{number:x}::1]:6881") } : [],
        ];
        return Network.Join(addresses);
    }

    public DhtNetwork Add(
        int number, bool four = true, bool six = false, string? folder = null, int tcpPort = 7_000, IReadOnlyList<string>? bootstrap = null)
    {
        var options = new TorrentOptions
        {
            Dht = true,
            DhtBootstrap = bootstrap ?? (six ? ["11.1.1.1:6881", "[2001:db8:0::1]:6881"] : ["11.1.1.1:6881"]),
            CacheFolder = folder,
        };
        var node = new DhtNetwork(Join(number, four, six), Time, () => new DhtSettings(
            options.Dht, options.DhtBootstrap, options.CacheFolder), tcpPort, static (_, _) => throw new IOException("no names here"));
        _nodes.Add(node);
        return node;
    }

    /// <summary>Adds <c>count</c> nodes that know each other.</summary>
    public async Task GrowAsync(int count, bool four = true, bool six = false)
    {
        for (var i = 0; i < count; i++)
            await SearchAsync(Add(i, four, six), NodeId.Random(), _ => { });
    }

    /// <summary>Searches, and moves the clock until the search has ended.</summary>
    public async Task<int> SearchAsync(DhtNetwork node, NodeId torrent, Action<IReadOnlyList<IPEndPoint>> found)
    {
        var search = node.SearchAsync(torrent, found, default);

        // Router names are resolved on another thread.
        await Until.TrueAsync(() => !node.IsResolving);
        while (!search.IsCompleted)
        {
            Time.Advance(TimeSpan.FromMilliseconds(5));
            await Task.Yield();
        }

        return await search;
    }

    public void Dispose() => _nodes.ForEach(static node => node.Dispose());
}
