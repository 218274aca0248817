using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Mapping;

/// <summary>
/// Keeps a port open in the router: asks for it, renews it at half of its time, and gives it back at the end. Quiet where there is no router that does this. Thread-safe.
/// </summary>
internal sealed class PortMapping : IAsyncDisposable
{
    private static readonly TimeSpan Lifetime = TimeSpan.FromHours(2);

    /// <summary>After nobody answered: a router may be exchanged.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(15);
    private static readonly TimeSpan LeastWait = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan GoodbyePatience = TimeSpan.FromSeconds(1);

    private readonly Func<IPortMapper?> _find;
    private readonly TimeProvider _time;
    private readonly int _port;
    private readonly CancellationTokenSource _stopping = new();
    private readonly Task _running;
    private MappingStatus _status = new(MappingState.Asking);

    /// <summary>Begins.</summary>
    /// <param name="port">For TCP and UDP.</param>
    /// <param name="find">Finds the router; null = none.</param>
    /// <param name="time">Drives renewals.</param>
    public PortMapping(int port, Func<IPortMapper?> find, TimeProvider time)
    {
        _port = port;
        _find = find;
        _time = time;
        _running = Task.Run(RunAsync);
    }

    /// <summary>As of the last answer.</summary>
    public MappingStatus Status => Volatile.Read(ref _status);

    /// <summary>The gateway of this machine, if it is in a private network: IPv6 needs no mapping.</summary>
    /// <param name="device">The interface behind which it is; null = any.</param>
    /// <param name="create">Makes sockets.</param>
    /// <param name="time">Drives repeats.</param>
    public static IPortMapper? FindRouter(string? device, Func<Socket?> create, TimeProvider time)
    {
        try
        {
            var gateway = NetworkInterface.GetAllNetworkInterfaces()
                .Where(one => one.OperationalStatus == OperationalStatus.Up && (device is null || one.Name == device))
                .SelectMany(static one => one.GetIPProperties().GatewayAddresses)
                .Select(static gateway => gateway.Address)
                .FirstOrDefault(static address => address.AddressFamily == AddressFamily.InterNetwork && IsPrivate(address));
            return gateway is null ? null : new RouterMapper(new IPEndPoint(gateway, RouterMapper.RouterPort), create, time);
        }
        catch (NetworkInformationException)
        {
            return null;
        }
    }

    /// <summary>Gives the ports back, for a second at most.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        await _running;
        _stopping.Dispose();
    }

    /// <summary>RFC 1918, and 169.254/16.</summary>
    internal static bool IsPrivate(IPAddress address)
    {
        Span<byte> bytes = stackalloc byte[16];
        return address.TryWriteBytes(bytes, out var length) && length == 4
            && (bytes[0] == 10 || (bytes[0] == 172 && bytes[1] is >= 16 and < 32) || (bytes[0] == 192 && bytes[1] == 168) || (bytes[0] == 169 && bytes[1] == 254));
    }

    private async Task RunAsync()
    {
        IPortMapper? mapped = null;
        try
        {
            while (true)
            {
                var wait = Pause;
                var status = new MappingStatus(MappingState.Failed);
                mapped ??= _find();
                if (mapped is not null)
                {
                    var isAnswered = false;
                    foreach (var protocol in Enum.GetValues<MappingProtocol>())
                    {
                        // Lifetimes of seconds would keep us busy for a router that is broken.
                        if (await mapped.MapAsync(protocol, _port, Lifetime, _stopping.Token) is not { } lease)
                            continue;
                        var half = lease.Lifetime / 2;
                        wait = isAnswered && half > wait ? wait : half > LeastWait ? half : LeastWait;
                        isAnswered = true;

                        // The first is that of TCP: by that peers come.
                        if (status.State != MappingState.Mapped)
                            status = new MappingStatus(MappingState.Mapped) { Protocol = lease.Protocol, ExternalAddress = lease.ExternalAddress, ExternalPort = lease.ExternalPort };
                    }

                    // Another router, perhaps, the next time.
                    if (!isAnswered)
                        mapped = null;
                }

                Volatile.Write(ref _status, status);
                await Task.Delay(wait, _time, _stopping.Token);
            }
        }
        catch (OperationCanceledException)
        {
            // The engine is being closed, or has another port.
        }

        if (mapped is null)
            return;
        using var patience = new CancellationTokenSource(GoodbyePatience, _time);
        try
        {
            foreach (var protocol in Enum.GetValues<MappingProtocol>())
                await mapped.MapAsync(protocol, _port, TimeSpan.Zero, patience.Token);
        }
        catch (OperationCanceledException)
        {
            // The lease runs out.
        }
    }
}
