using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Utp;

namespace NzbDav.Torrents.Tests.Utp;

/// <summary>
/// A network in memory that loses, repeats, delays and reorders datagrams, as a seed says. Its time is the test's: it goes on while
/// <see cref="RunAsync"/> waits for something. Datagrams are delivered by that call alone.
/// </summary>
internal sealed class LossyNetwork(int seed)
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(1);

    /// <summary>What takes longer than this, in the test's time, does not come.</summary>
    private static readonly TimeSpan Most = TimeSpan.FromHours(1);

    private readonly Random _random = new(seed);
    private readonly Lock _gate = new();
    private readonly PriorityQueue<(DatagramAddress From, DatagramAddress To, byte[] Bytes), (long, long)> _flying = new();
    private readonly Dictionary<DatagramAddress, End> _ends = [];
    private long _sequence;

    public ManualTimeProvider Time { get; } = new();

    /// <summary>Share of datagrams that are lost.</summary>
    public double Loss { get; set; }

    /// <summary>Share of datagrams that arrive twice.</summary>
    public double Twice { get; init; }

    /// <summary>Shortest time on the way.</summary>
    public TimeSpan Delay { get; init; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Most time beyond that, by chance: what was sent later may arrive earlier.</summary>
    public TimeSpan Jitter { get; init; }

    /// <summary>Bytes a second that pass each way; what comes faster waits. 0 = any number.</summary>
    public double Rate { get; init; }

    /// <summary>False keeps the time from going on: the test's own part is not as far as the network.</summary>
    public Func<bool>? IsReady { get; set; }

    /// <summary>Sees the address of each datagram that is delivered.</summary>
    public Action<DatagramAddress>? Delivers { get; set; }

    /// <summary>Bytes after the headers of data that were delivered.</summary>
    public long Delivered { get; private set; }

    /// <summary>Sees each datagram that is sent, before it is lost; false drops it.</summary>
    public Func<DatagramAddress, byte[], bool>? Passes { get; set; }

    /// <summary>Datagrams sent.</summary>
    public long Sent { get; private set; }

    /// <summary>Most bytes that waited for their turn, in one direction.</summary>
    public double MostWaiting { get; private set; }

    /// <summary>Bytes that waited for their turn lately: the average of the last hundred full datagrams or so.</summary>
    public double LastWaiting { get; private set; }

    /// <summary>Datagrams that a test has sent in another's name.</summary>
    public long Injected { get; private set; }

    /// <summary>Sends a datagram in the name of one of two ends to the other.</summary>
    public void Inject(DatagramAddress from, byte[] bytes)
    {
        lock (_gate)
        {
            Injected++;
            _flying.Enqueue((from, _ends.Keys.First(end => end != from), bytes), (Time.GetTimestamp() + Delay.Ticks, _sequence++));
        }
    }

    /// <summary>A channel at this address.</summary>
    public IDatagramChannel Open(string endpoint)
    {
        var address = new DatagramAddress(IPEndPoint.Parse(endpoint));
        var end = new End(this, address);
        lock (_gate)
            _ends[address] = end;
        return end;
    }

    /// <summary>Lets time pass until the task has ended. Returns its result, or throws what it threw.</summary>
    public async Task<T> RunAsync<T>(Task<T> task)
    {
        await RunUntilAsync(() => task.IsCompleted);
        return await task;
    }

    /// <summary>Lets time pass until the condition holds.</summary>
    public async Task RunUntilAsync(Func<bool> condition)
    {
        for (var end = Time.GetTimestamp() + Most.Ticks; !condition();)
        {
            if (Time.GetTimestamp() > end)
                throw new TimeoutException("It did not come within an hour of the test's time.");
            if (!Deliver())
            {
                // Those that wait for what was delivered have their turn before time goes on.
                for (var i = 0; i < 3 || IsReady?.Invoke() == false; i++)
                    await Task.Yield();
                Time.Advance(Step);
            }
        }
    }

    /// <summary>Lets this much time pass.</summary>
    public Task PassAsync(TimeSpan time)
    {
        var end = Time.GetTimestamp() + time.Ticks;
        return RunUntilAsync(() => Time.GetTimestamp() >= end);
    }

    private bool Deliver()
    {
        End? end;
        (DatagramAddress From, DatagramAddress To, byte[] Bytes) datagram;
        lock (_gate)
        {
            if (!_flying.TryPeek(out datagram, out var due) || due.Item1 > Time.GetTimestamp())
                return false;
            _flying.Dequeue();
            end = _ends.GetValueOrDefault(datagram.To);
        }

        if (datagram.Bytes is [1, ..])
            Delivered += datagram.Bytes.Length - UtpPacket.HeaderSize;
        Delivers?.Invoke(datagram.To);
        end?.Handlers.Offer(datagram.From, datagram.Bytes);
        return true;
    }

    private void Send(End from, DatagramAddress to, ReadOnlySpan<byte> datagram)
    {
        var bytes = datagram.ToArray();
        lock (_gate)
        {
            Sent++;
            if (Passes?.Invoke(from.Address, bytes) == false || _random.NextDouble() < Loss)
                return;
            var now = Time.GetTimestamp();
            var waiting = Math.Max(0, from.FreeAt - now) * Rate / TimeSpan.TicksPerSecond;
            MostWaiting = Math.Max(MostWaiting, waiting);
            if (bytes.Length > 1_000)
                LastWaiting += (waiting - LastWaiting) / 100;
            if (Rate > 0)
                now = from.FreeAt = Math.Max(now, from.FreeAt) + (long)(bytes.Length / Rate * TimeSpan.TicksPerSecond);
            for (var copies = _random.NextDouble() < Twice ? 2 : 1; copies > 0; copies--)
                _flying.Enqueue((from.Address, to, bytes), (now + Delay.Ticks + (long)(_random.NextDouble() * Jitter.Ticks), _sequence++));
        }
    }

    private sealed class End(LossyNetwork network, DatagramAddress address) : IDatagramChannel
    {
        public DatagramHandlers Handlers { get; } = new();

        public DatagramAddress Address => address;

        public long FreeAt { get; set; }

        public string? Trouble => null;

        public bool CarriesNames => false;

        public Task WhenKnownAsync() => Task.CompletedTask;

        public void Send(string host, int port, ReadOnlySpan<byte> datagram)
        {
        }

        public int PortOf(AddressFamily family) => family == address.Family ? address.Port : 0;

        public bool CanReach(AddressFamily family) => family == address.Family;

        public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram) => network.Send(this, to, datagram);

        public IDisposable Register(DatagramHandler handler) => Handlers.Register(handler);

        public void Dispose()
        {
        }
    }
}
