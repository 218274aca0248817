using System.Net;
using System.Net.Sockets;
using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Fuzz.Formats;

/// <summary>
/// Answers of a UDP tracker (BEP 15). The first 16 bytes answer the connect request, the rest the announce. Transaction ids are replaced by
/// those of the requests.
/// </summary>
internal sealed class UdpTrackerTarget() : FuzzTarget("udp-tracker", "Answers of UDP trackers")
{
    private const int ConnectSize = 16;

    private static readonly Uri Tracker = new("udp://tracker.example:6969/announce");

    public override int Longest { get; init; } = 2 << 10;

    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 3],
        [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [192, 0, 2, 1, 0x1A, 0xE1], [0, 0, 0, 0, 0, 0]];

    public override object? Run(byte[] input, Cuts cuts)
    {
        var announced = Ask(input, static (client, time) => client.AnnounceAsync(
            Tracker, new TrackerRequest(InfoHash.Of([1]), InfoHash.Of([2]), 6_881, 0, 0, 1, TrackerEvent.Started), time));
        BrokenPromiseException.ThrowUnless(announced.Failure is null || announced.Peers.Count == 0, "A failure names no peers.");
        BrokenPromiseException.ThrowUnless(
            announced.Peers.Count <= TrackerAnswer.MostPeers && announced.Interval > TimeSpan.Zero, "An answer is in range.");
        foreach (var peer in announced.Peers)
            BrokenPromiseException.ThrowUnless(peer.Port > 0, "A peer has a port.");
        var counts = Ask(input, static (client, time) => client.ScrapeAsync(Tracker, InfoHash.Of([1]), time));
        BrokenPromiseException.ThrowUnless(counts is null || (counts.Seeds >= 0 && counts.Leechers >= 0), "Counts are not negative.");
        return $"{announced.Failure} {string.Join(' ', announced.Peers)} {announced.Interval} {announced.Counts} {counts}";
    }

    private static T Ask<T>(byte[] input, Func<UdpTrackerClient, CancellationToken, Task<T>> ask)
    {
        using var channel = new Channel(input);
        using var exchanges = new UdpTrackerExchanges(channel, channel.Time);
        var client = new UdpTrackerClient(
            exchanges, channel, static (_, _) => ValueTask.FromResult<IReadOnlyList<IPAddress>>([IPAddress.Loopback]), channel.Time);
        return Synchronously.Wait(ask(client, CancellationToken.None));
    }

    /// <summary>Answers at once, or lets the time-out expire if there is nothing to answer.</summary>
    private sealed class Channel(byte[] input) : IDatagramChannel
    {
        private DatagramHandler? _handler;

        public EndlessTime Time { get; } = new();

        public string? Trouble => null;

        public bool CarriesNames => false;

        public Task WhenKnownAsync() => Task.CompletedTask;

        public void Send(string host, int port, ReadOnlySpan<byte> datagram)
        {
        }

        public int PortOf(AddressFamily family) => 6_881;

        public bool CanReach(AddressFamily family) => true;

        public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram)
        {
            var isConnect = datagram.Length == ConnectSize;
            var split = Math.Min(ConnectSize, input.Length);
            var answer = isConnect ? input[..split] : input[split..];
            if (answer.Length >= 8)
                datagram.Slice(12, 4).CopyTo(answer.AsSpan(4));
            if (_handler?.Invoke(to, answer) != true)
                Time.End();
        }

        public IDisposable Register(DatagramHandler handler)
        {
            _handler = handler;
            return this;
        }

        public void Dispose() => _handler = null;
    }
}
