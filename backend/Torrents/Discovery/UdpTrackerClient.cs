using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.Content.Dialling;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;

namespace NzbDav.Torrents.Discovery;

/// <summary>UDP trackers (BEP 15, 41).</summary>
/// <param name="exchanges">Sends and receives.</param>
/// <param name="channel">Knows which address families can be reached.</param>
/// <param name="resolver">Resolves trackers.</param>
/// <param name="time">Clock for the age of connection ids.</param>
/// <param name="refusalOf">See <see cref="OutboundRules.RefusalOf"/>; null = any name is allowed.</param>
internal sealed class UdpTrackerClient(
    UdpTrackerExchanges exchanges, IDatagramChannel channel, HostResolver resolver, TimeProvider time,
    Func<string, string?>? refusalOf = null)
    : ITrackerClient
{
    private const int Connect = 0;
    private const int Announce = 1;
    private const int Scrape = 2;
    private const int Error = 3;
    private const long ProtocolId = 0x41727101980;

    /// <summary>
    /// Most trackers whose connection ids are remembered. Beyond that all are forgotten, which costs each tracker a round trip.
    /// </summary>
    private const int MostConnections = 1_000;

    /// <summary>BEP 15: the first wait for an answer, doubled each time.</summary>
    private static readonly TimeSpan FirstWait = TimeSpan.FromSeconds(15);

    /// <summary>BEP 15: how long a connection id may be used.</summary>
    private static readonly TimeSpan IdLifetime = TimeSpan.FromMinutes(1);

    /// <summary>Most addresses tried in one family. Each is sent a datagram while those before it are silent.</summary>
    private const int MostAddresses = 4;

    private readonly Dictionary<UdpTarget, (long Id, long Since, UdpTarget At)> _connections = [];
    private readonly Dialler _dialler = new(time);

    public async Task<TrackerAnswer> AnnounceAsync(Uri tracker, TrackerRequest request, CancellationToken cancellationToken)
    {
        var (targets, trouble) = await ResolveAsync(tracker, cancellationToken);
        if (trouble is not null)
            return TrackerAnswer.Failed(trouble);
        var running = targets.ConvertAll(target => AnnounceAsync(target, tracker, request, cancellationToken));
        return await TrackerAnswer.FirstAsync(running, request);
    }

    public async Task<TrackerCounts?> ScrapeAsync(Uri tracker, InfoHash hash, CancellationToken cancellationToken)
    {
        var (targets, _) = await ResolveAsync(tracker, cancellationToken);
        if (targets.Count == 0)
            return null;
        var packet = new byte[36];
        BinaryPrimitives.WriteInt32BigEndian(packet.AsSpan(8), Scrape);
        hash.CopyTo(packet.AsSpan(16));
        var answer = await RequestAsync(targets[0], packet, tries: 1, cancellationToken);

        // <action=2><transaction><seeders><completed><leechers>
        return answer is var (_, counts) && counts.Length >= 20 && Int(counts, 0) == Scrape
            ? new TrackerCounts(Count(counts, 8), Count(counts, 16), Count(counts, 12)) : null;
    }

    /// <summary>
    /// Resolves a tracker to its addresses by family, to its name if a proxy resolves it, or to the reason why neither is possible. The
    /// announce goes to both families, in each to the first address that answers.
    /// </summary>
    private async ValueTask<(List<List<UdpTarget>> Targets, string? Trouble)> ResolveAsync(Uri tracker, CancellationToken cancellationToken)
    {
        if (tracker.Port <= 0)
            return ([], "its address has no port");
        await channel.WhenKnownAsync().WaitAsync(cancellationToken);
        if (channel.Trouble is { } trouble)
            return ([], trouble);
        if (channel.CarriesNames && tracker.HostNameType == UriHostNameType.Dns)
        {
            return refusalOf?.Invoke(tracker.IdnHost) is { } refusal
                ? ([], refusal) : ([[UdpTarget.Of(tracker.IdnHost, tracker.Port)]], null);
        }

        try
        {
            var targets = new List<List<UdpTarget>>(2);
            foreach (var address in await resolver(tracker.IdnHost, cancellationToken))
            {
                var target = UdpTarget.Of(new DatagramAddress(new IPEndPoint(address, tracker.Port)));
                if (!channel.CanReach(target.Address.Family))
                    continue;
                if (targets.Find(family => family[0].Address.Family == target.Address.Family) is not { } others)
                    targets.Add([target]);
                else if (others.Count < MostAddresses && !others.Contains(target))
                    others.Add(target);
            }

            return (targets, targets.Count == 0 ? "none of its addresses can be reached from here" : null);
        }
        catch (Exception error) when (error is SocketException or IOException)
        {
            return ([], error.Message);
        }
    }

    private async Task<TrackerAnswer> AnnounceAsync(
        List<UdpTarget> targets, Uri tracker, TrackerRequest request, CancellationToken cancellationToken)
    {
        if (await RequestAsync(targets, Write(tracker, request), request.Tries, cancellationToken) is not var (from, answer))
            return TrackerAnswer.Failed("the tracker does not answer");
        if (Int(answer, 0) == Error)
        {
            var reason = Encoding.UTF8.GetString(answer.AsSpan(8)).TrimEnd('\0');
            return TrackerAnswer.Refused(reason.Length > 0 ? reason : "unknown");
        }

        // <action=1><transaction><interval><leechers><seeders> and addresses
        if (answer.Length < 20 || Int(answer, 0) != Announce)
            return TrackerAnswer.Failed("the tracker's answer cannot be read");
        var peers = new List<IPEndPoint>();
        CompactPeers.Read(answer.AsSpan(20), from.Family == AddressFamily.InterNetworkV6 ? 16 : 4, peers, TrackerAnswer.MostPeers);
        return TrackerAnswer.Of(peers, Int(answer, 8), least: null)
            with
        { Counts = new TrackerCounts(Count(answer, 16), Count(answer, 12), Downloaded: null) };
    }

    /// <summary>Sends a packet whose first eight bytes are reserved for a connection id. Null if no answer arrives.</summary>
    /// <param name="targets">Addresses of one family, or a name. The connection id is stored under the first.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="tries">Number of times it is sent.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    private async Task<(DatagramAddress From, byte[] Packet)?> RequestAsync(
        List<UdpTarget> targets, byte[] packet, int tries, CancellationToken cancellationToken)
    {
        var target = targets[0];
        var wait = FirstWait;
        for (var i = 0; i < tries; i++, wait *= 2)
        {
            var known = FindId(target);
            if ((known ?? await ConnectAsync(targets, wait, cancellationToken)) is not var (id, at))
                continue;
            BinaryPrimitives.WriteInt64BigEndian(packet, id);
            if (await exchanges.ExchangeAsync(at, packet, wait, cancellationToken) is not { } answer)
            {
                Forget(target);
                continue;
            }

            if (Int(answer.Packet, 0) != Error)
                return answer;

            // A restarted tracker rejects earlier ids, and not every tracker reports that.
            Forget(target);
            if (known is null)
                return answer;
            tries++;
        }

        return null;
    }

    /// <summary>Gets a connection id from the first of these addresses that answers. Null if none does.</summary>
    private async Task<(long Id, UdpTarget At)?> ConnectAsync(List<UdpTarget> targets, TimeSpan wait, CancellationToken cancellationToken)
    {
        var found = targets.Count == 1
            ? await ConnectAsync(targets[0], wait, cancellationToken)
            : await RaceAsync(targets, wait, cancellationToken);
        if (found is not var (id, at))
            return null;
        lock (_connections)
        {
            if (_connections.Count >= MostConnections)
                _connections.Clear();
            _connections[targets[0]] = (id, time.GetTimestamp(), at);
        }

        return found;
    }

    private async Task<(long Id, UdpTarget At)?> RaceAsync(List<UdpTarget> targets, TimeSpan wait, CancellationToken cancellationToken)
    {
        try
        {
            return await _dialler.FirstAsync(
                [.. targets.Select(static target => target.Address.ToEndPoint().Address)],
                targets[0].Port,
                async (address, over) => await ConnectAsync(UdpTarget.Of(new DatagramAddress(address)), wait, over)
                    ?? throw new SocketException((int)SocketError.TimedOut),
                drop: null,
                cancellationToken);
        }
        catch (SocketException)
        {
            return null;
        }
    }

    private async Task<(long Id, UdpTarget At)?> ConnectAsync(UdpTarget target, TimeSpan wait, CancellationToken cancellationToken)
    {
        // <protocol id><action=0><transaction>
        var packet = new byte[16];
        BinaryPrimitives.WriteInt64BigEndian(packet, ProtocolId);
        BinaryPrimitives.WriteInt32BigEndian(packet.AsSpan(8), Connect);

        // <action=0><transaction><connection id>
        if (await exchanges.ExchangeAsync(target, packet, wait, cancellationToken) is not var (from, answer)
            || answer.Length < 16 || Int(answer, 0) != Connect)
            return null;

        // A name may resolve to several machines, and an id is valid only at the machine that issued it.
        var at = target.Host is not null && from.IsUsable ? UdpTarget.Of(from) : target;
        return (BinaryPrimitives.ReadInt64BigEndian(answer.AsSpan(8)), at);
    }

    private (long Id, UdpTarget At)? FindId(UdpTarget target)
    {
        lock (_connections)
            return _connections.TryGetValue(target, out var connection) && time.GetElapsedTime(connection.Since) < IdLifetime
                ? (connection.Id, connection.At) : null;
    }

    private void Forget(UdpTarget target)
    {
        lock (_connections)
            _connections.Remove(target);
    }

    private static byte[] Write(Uri tracker, TrackerRequest request)
    {
        // <connection id><action=1><transaction><hash><peer id><downloaded><left><uploaded><event><address><key><wanted><port>
        var output = new MemoryStream();
        var packet = new byte[98];
        BinaryPrimitives.WriteInt32BigEndian(packet.AsSpan(8), Announce);
        request.Hash.CopyTo(packet.AsSpan(16));
        request.PeerId.CopyTo(packet.AsSpan(36));
        BinaryPrimitives.WriteInt64BigEndian(packet.AsSpan(56), request.Downloaded);
        BinaryPrimitives.WriteInt64BigEndian(packet.AsSpan(64), request.Left);
        BinaryPrimitives.WriteInt64BigEndian(packet.AsSpan(72), request.Uploaded);
        BinaryPrimitives.WriteInt32BigEndian(packet.AsSpan(80),
            request.Event switch { TrackerEvent.Completed => 1, TrackerEvent.Started => 2, TrackerEvent.Stopped => 3, _ => 0 });
        BinaryPrimitives.WriteUInt32BigEndian(packet.AsSpan(88), request.Key);
        BinaryPrimitives.WriteInt32BigEndian(packet.AsSpan(92), request.Wanted);
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(96), (ushort)request.Port);
        output.Write(packet);

        // BEP 41: <option=2><length><path and query>, in chunks of at most 255 bytes.
        var url = Encoding.UTF8.GetBytes(tracker.PathAndQuery == "/" ? string.Empty : tracker.PathAndQuery);
        foreach (var part in url.Chunk(byte.MaxValue))
        {
            output.WriteByte(2);
            output.WriteByte((byte)part.Length);
            output.Write(part);
        }

        return output.ToArray();
    }

    private static int Int(byte[] packet, int at) => BinaryPrimitives.ReadInt32BigEndian(packet.AsSpan(at));

    private static int Count(byte[] packet, int at) => Math.Max(0, Int(packet, at));
}

/// <summary>Location of a UDP tracker: an address, or a name that only the proxy can resolve.</summary>
/// <param name="Address">Address of the tracker; the default value if only its name is known.</param>
/// <param name="Host">Name of the tracker; null if it is reached by its address.</param>
/// <param name="Port">1 … 65535.</param>
internal readonly record struct UdpTarget(DatagramAddress Address, string? Host, int Port)
{
    /// <summary>A target at an address.</summary>
    public static UdpTarget Of(DatagramAddress address) => new(address, Host: null, address.Port);

    /// <summary>A target at a name.</summary>
    public static UdpTarget Of(string host, int port) => new(default, host, port);

    /// <summary>True if a datagram from this address may be the tracker's answer.</summary>
    public bool Matches(DatagramAddress from) => Host is not null || Address == from;

    /// <summary>Sends a datagram to the target, or drops it.</summary>
    public void Send(IDatagramChannel channel, ReadOnlySpan<byte> datagram)
    {
        if (Host is null)
            channel.Send(Address, datagram);
        else
            channel.Send(Host, Port, datagram);
    }
}
