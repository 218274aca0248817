using System.Net;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <content>Searches for the peers of torrents.</content>
internal sealed partial class DhtNetwork
{
    /// <inheritdoc cref="SearchAsync(NodeId, IReadOnlyList{EndPoint}, Action{IReadOnlyList{IPEndPoint}}, CancellationToken)"/>
    public Task<int> SearchAsync(NodeId torrent, Action<IReadOnlyList<IPEndPoint>> found, CancellationToken cancellationToken) =>
        SearchAsync(torrent, [], found, cancellationToken);

    /// <summary>
    /// Looks for the peers of a torrent, and at the end announces us to the nodes closest to it. Completes with the number of nodes that
    /// answered, or at once with 0 while the DHT is switched off.
    /// </summary>
    /// <param name="torrent">The torrent's point in the DHT.</param>
    /// <param name="nodes">Nodes that the .torrent names: asked first while few others are known.</param>
    /// <param name="found">Receives new peers as they arrive, on any thread.</param>
    /// <param name="cancellationToken">Cancels the search, which then announces nothing.</param>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<int> SearchAsync(
        NodeId torrent, IReadOnlyList<EndPoint> nodes, Action<IReadOnlyList<IPEndPoint>> found, CancellationToken cancellationToken)
    {
        await _channel.WhenKnownAsync().WaitAsync(cancellationToken);
        var starts = nodes.Count > 0 && KnowsFew() ? await _routers.ResolveAsync(nodes, cancellationToken) : [];
        var lookups = new List<DhtLookup>();
        var answers = new List<Task<int>>();
        Run(() =>
        {
            if (_isOver || !IsEnabled)
                return;
            Start();
            foreach (var family in _families.Where(IsReachable))
            {
                var ended = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
                var lookup = new DhtLookup(family, DhtQueryKind.GetPeers, torrent) { AnnouncedPort = AnnouncedPort, Found = found, Finished = count => ended.TrySetResult(count) };
                lookups.Add(lookup);
                answers.Add(ended.Task);
                Add(lookup, starts);
                Begin(lookup);
            }
        });
        try
        {
            return (await Task.WhenAll(answers).WaitAsync(cancellationToken)).Sum();
        }
        finally
        {
            Run(() => lookups.ForEach(lookup => End(lookup, announces: false)));
        }
    }

    private bool KnowsFew()
    {
        lock (_gate)
            return IsEnabled && _families.Any(family => IsReachable(family) && family.Table.Count < RoutingTable.BucketSize);
    }

    private static void Add(DhtLookup lookup, IReadOnlyList<EndPoint> nodes)
    {
        foreach (var node in nodes)
        {
            if (node is DnsEndPoint name)
                lookup.Add(name);
            else if (new DatagramAddress((IPEndPoint)node) is { IsUsable: true } address && address.Family == lookup.Family.Family)
                lookup.Add(address, id: null);
        }
    }
}
