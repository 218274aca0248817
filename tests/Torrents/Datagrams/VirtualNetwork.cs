using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Tests.Datagrams;

/// <summary>
/// A network of UDP channels without sockets: datagrams arrive when the clock has moved by the latency, on the thread that moves it, in the
/// order in which they were sent. Those to an address that nobody has, and those that <see cref="Loses"/> names, are lost.
/// </summary>
internal sealed class VirtualNetwork(ManualTimeProvider time)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<DatagramAddress, VirtualChannel> _channels = [];

    /// <summary>One-way latency.</summary>
    public TimeSpan Latency { get; set; } = TimeSpan.FromMilliseconds(25);

    /// <summary>Which datagrams are lost on their way; null: none.</summary>
    public Func<DatagramAddress, DatagramAddress, byte[], bool>? Loses { get; set; }

    /// <summary>Datagrams that were sent so far: from, to, payload.</summary>
    public List<(DatagramAddress From, DatagramAddress To, byte[] Payload)> Sent { get; } = [];

    /// <summary>A host of these addresses, one for each family at most.</summary>
    public VirtualChannel Join(params string[] endpoints)
    {
        var channel = new VirtualChannel(this, [.. endpoints.Select(static text => new DatagramAddress(IPEndPoint.Parse(text)))]);
        lock (_gate)
        {
            foreach (var address in channel.Addresses)
                _channels.Add(address, channel);
        }

        return channel;
    }

    /// <summary>The channel with an address; null if there is none.</summary>
    public VirtualChannel? Find(string endpoint)
    {
        lock (_gate)
            return _channels.GetValueOrDefault(new DatagramAddress(IPEndPoint.Parse(endpoint)));
    }

    internal void Leave(VirtualChannel channel)
    {
        lock (_gate)
        {
            foreach (var address in channel.Addresses)
                _channels.Remove(address);
        }
    }

    internal void Send(DatagramAddress from, DatagramAddress to, byte[] payload)
    {
        if (Loses?.Invoke(from, to, payload) != true)
        {
            var timer = new ITimer?[1];
            timer[0] = time.CreateTimer(
                _ =>
                {
                    timer[0]?.Dispose();
                    Deliver(from, to, payload);
                },
                state: null,
                Latency,
                Timeout.InfiniteTimeSpan);
        }

        // Done last, because a test that sees the entry may move the clock.
        lock (_gate)
            Sent.Add((from, to, payload));
    }

    private void Deliver(DatagramAddress from, DatagramAddress to, byte[] payload)
    {
        VirtualChannel? channel;
        lock (_gate)
            _channels.TryGetValue(to, out channel);
        channel?.Handlers.Offer(from, payload);
    }

    /// <summary>One host's end.</summary>
    internal sealed class VirtualChannel(VirtualNetwork network, DatagramAddress[] addresses) : IDatagramChannel
    {
        public IReadOnlyList<DatagramAddress> Addresses => addresses;

        public DatagramHandlers Handlers { get; } = new();

        public string? Trouble => null;

        public bool CarriesNames => false;

        public Task WhenKnownAsync() => Task.CompletedTask;

        public void Send(string host, int port, ReadOnlySpan<byte> datagram)
        {
        }

        public int PortOf(AddressFamily family) => Array.Find(addresses, address => address.Family == family).Port;

        public bool CanReach(AddressFamily family) => Array.Exists(addresses, address => address.Family == family);

        public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram)
        {
            if (CanReach(to.Family))
                network.Send(Array.Find(addresses, address => address.Family == to.Family), to, datagram.ToArray());
        }

        public IDisposable Register(DatagramHandler handler) => Handlers.Register(handler);

        public void Dispose() => network.Leave(this);
    }
}
