using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace NzbDav.Content.Dialling;

/// <summary>
/// Connects to a host that has several addresses. Shared by news servers, trackers, peers, proxies and the *arrs. Addresses are tried side
/// by side, each <see cref="Stagger"/> after the one before or as soon as that failed, address families in turn (RFC 8305, "happy
/// eyeballs"). An address that drops packets costs 250 ms instead of the time limit. The address that answered is tried first the next
/// time. Thread-safe.
/// </summary>
/// <param name="time">Clock.</param>
public sealed class Dialler(TimeProvider time)
{
    /// <summary>Time between two attempts: the recommended value of RFC 8305 §5.</summary>
    public static readonly TimeSpan Stagger = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// How long an address that answered is tried first. Networks change, and RFC 8305 §4 says not to rely on old measurements.
    /// </summary>
    public static readonly TimeSpan RememberedFor = TimeSpan.FromMinutes(10);

    /// <summary>Most addresses remembered: a tracker client meets thousands.</summary>
    private const int MostRemembered = 1_024;

    private readonly Lock _gate = new();
    private readonly Dictionary<IPEndPoint, long> _won = [];

    /// <summary>The process-wide dialler, so that one part of the program benefits from what another has learned of an address.</summary>
    public static Dialler Shared { get; } = new(TimeProvider.System);

    /// <summary>Looks up the addresses of a host name, in the system's order (RFC 6724).</summary>
    public Func<string, CancellationToken, Task<IPAddress[]>> Resolve { get; init; } =
        static (host, cancellationToken) => Dns.GetHostAddressesAsync(host, cancellationToken);

    /// <summary>Connects to one address; the caller owns the socket.</summary>
    public Func<IPEndPoint, CancellationToken, ValueTask<Socket>> Connect { get; init; } = ConnectAsync;

    /// <summary>Connects to a host.</summary>
    /// <param name="host">Name or address; an IPv6 address may be in brackets.</param>
    /// <param name="port">1 … 65535.</param>
    /// <param name="cancellationToken">Fires when the connection is no longer wanted.</param>
    /// <returns>A connected socket, owned by the caller.</returns>
    /// <exception cref="SocketException">The name cannot be resolved, or no address answers: then the error of the address tried
    /// first.</exception>
    public async ValueTask<Socket> ConnectAsync(string host, int port, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(host);
        var name = host.Trim('[', ']');
        IPAddress[] addresses = IPAddress.TryParse(name, out var literal) ? [literal] : await Resolve(name, cancellationToken);
        return await ConnectAsync(addresses, port, Connect, cancellationToken);
    }

    /// <summary>For <see cref="System.Net.Http.SocketsHttpHandler.ConnectCallback"/>.</summary>
    public async ValueTask<Stream> ConnectAsync(System.Net.Http.SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(context);
        var socket = await ConnectAsync(context.DnsEndPoint.Host, context.DnsEndPoint.Port, cancellationToken);
        return new NetworkStream(socket, ownsSocket: true);
    }

    /// <summary>Connects to the first of these addresses that answers.</summary>
    /// <param name="addresses">In order of preference.</param>
    /// <param name="port">1 … 65535.</param>
    /// <param name="cancellationToken">Fires when the connection is no longer wanted.</param>
    /// <exception cref="SocketException">None answers.</exception>
    public ValueTask<Socket> ConnectAsync(IReadOnlyList<IPAddress> addresses, int port, CancellationToken cancellationToken) =>
        ConnectAsync(addresses, port, Connect, cancellationToken);

    /// <summary>Connects to the first of these addresses that answers, with sockets from the caller.</summary>
    /// <param name="addresses">In order of preference.</param>
    /// <param name="port">1 … 65535.</param>
    /// <param name="connect">Connects to one address. After a <see cref="SocketException"/> the other addresses are still tried; any other
    /// exception ends the attempt.</param>
    /// <param name="cancellationToken">Fires when the connection is no longer wanted.</param>
    /// <exception cref="SocketException">None answers: the error of the address tried first.</exception>
    public ValueTask<Socket> ConnectAsync(
        IReadOnlyList<IPAddress> addresses, int port, Func<IPEndPoint, CancellationToken, ValueTask<Socket>> connect,
        CancellationToken cancellationToken) => FirstAsync(addresses, port, connect, static late => late.Dispose(), cancellationToken);

    /// <summary>The result of the first of these addresses that answers, for protocols that do not connect a socket (UDP).</summary>
    /// <param name="addresses">In order of preference.</param>
    /// <param name="port">1 … 65535.</param>
    /// <param name="connect">Asks one address. After a <see cref="SocketException"/> the other addresses are still tried; any other
    /// exception ends the attempt.</param>
    /// <param name="drop">Disposes of a result that came too late; null: nothing to do.</param>
    /// <param name="cancellationToken">Fires when the result is no longer wanted.</param>
    /// <exception cref="SocketException">None answers: the error of the address tried first.</exception>
    public async ValueTask<T> FirstAsync<T>(
        IReadOnlyList<IPAddress> addresses, int port, Func<IPEndPoint, CancellationToken, ValueTask<T>> connect, Action<T>? drop,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(addresses);
        ArgumentNullException.ThrowIfNull(connect);
        var order = Order(addresses, port);
        if (order.Count == 0)
            throw new SocketException((int)SocketError.NoData);
        if (order.Count == 1)
            return await connect(order[0], cancellationToken);
        return await RaceAsync(order, connect, drop, cancellationToken);
    }

    private async Task<T> RaceAsync<T>(
        List<IPEndPoint> order, Func<IPEndPoint, CancellationToken, ValueTask<T>> connect, Action<T>? drop,
        CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var running = new List<Task<(T Result, IPEndPoint Address)>>();
        Exception? error = null;
        try
        {
            for (var next = 0; next < order.Count || running.Count > 0;)
            {
                if (next < order.Count)
                    running.Add(AttemptAsync(order[next++], connect, over.Token));
                await WaitAsync(running, mayStart: next < order.Count, over.Token);
                cancellationToken.ThrowIfCancellationRequested();
                if (running.Find(static attempt => attempt.IsCompleted) is not { } first)
                    continue;
                running.Remove(first);
                try
                {
                    var (result, address) = await first;
                    Remember(order, address);
                    return result;
                }
                catch (SocketException e)
                {
                    error ??= e;
                }
            }
        }
        finally
        {
            await over.CancelAsync();
            foreach (var loser in running)
                _ = DropAsync(loser, drop);
        }

        throw error ?? new UnreachableException();
    }

    /// <summary>Waits until an attempt ends, or it is time for the next one.</summary>
    private async Task WaitAsync<T>(List<Task<(T, IPEndPoint)>> running, bool mayStart, CancellationToken cancellationToken)
    {
        if (!mayStart)
        {
            await Task.WhenAny(running);
            return;
        }

        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        await Task.WhenAny([.. running, Task.Delay(Stagger, time, ended.Token)]);
        await ended.CancelAsync();
    }

    private static async Task<(T Result, IPEndPoint Address)> AttemptAsync<T>(
        IPEndPoint address, Func<IPEndPoint, CancellationToken, ValueTask<T>> connect, CancellationToken cancellationToken) =>
        (await connect(address, cancellationToken), address);

    /// <summary>Drops the result of an attempt that came too late, or failed.</summary>
    private static async Task DropAsync<T>(Task<(T Result, IPEndPoint Address)> loser, Action<T>? drop)
    {
        try
        {
            var (result, _) = await loser;
            drop?.Invoke(result);
        }
        catch (Exception)
        {
            // Cancelled or failed: another address answered, or all attempts ended with another error.
        }
    }

    /// <summary>
    /// The order of the attempts: first the address that answered last, then the families in turn, beginning with the system's choice (RFC
    /// 8305 §4).
    /// </summary>
    private List<IPEndPoint> Order(IReadOnlyList<IPAddress> addresses, int port)
    {
        var left = addresses.Select(address => new IPEndPoint(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address, port))
            .Distinct().ToList();
        var order = new List<IPEndPoint>(left.Count);
        if (Remembered(left) is { } winner)
            Take(winner);
        while (left.Count > 0)
            Take(left.Find(one => order.Count > 0 && one.AddressFamily != order[^1].AddressFamily) ?? left[0]);
        return order;

        void Take(IPEndPoint one)
        {
            left.Remove(one);
            order.Add(one);
        }
    }

    private IPEndPoint? Remembered(List<IPEndPoint> addresses)
    {
        lock (_gate)
        {
            IPEndPoint? latest = null;
            foreach (var address in addresses)
            {
                if (_won.TryGetValue(address, out var at) && time.GetElapsedTime(at) < RememberedFor
                    && (latest is null || at > _won[latest]))
                    latest = address;
            }

            return latest;
        }
    }

    /// <summary>Remembers the address that answered, and forgets the others tried with it, which answered later or never.</summary>
    private void Remember(List<IPEndPoint> tried, IPEndPoint winner)
    {
        lock (_gate)
        {
            foreach (var one in tried)
                _won.Remove(one);
            if (_won.Count >= MostRemembered)
                _won.Clear();
            _won[winner] = time.GetTimestamp();
        }
    }

    private static async ValueTask<Socket> ConnectAsync(IPEndPoint address, CancellationToken cancellationToken)
    {
        var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(address, cancellationToken);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
