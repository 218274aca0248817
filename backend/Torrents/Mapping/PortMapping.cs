using System.Globalization;
using System.Net;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Mapping;

/// <summary>
/// Keeps a port open in the routers: requests the mapping, renews it after half its lifetime, and removes it at the end. Thread-safe.
/// </summary>
internal sealed class PortMapping : IAsyncDisposable
{
    private static readonly TimeSpan Lifetime = TimeSpan.FromHours(2);

    /// <summary>Pause after the first request without an answer, because the network may still be starting. Doubled each time.</summary>
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(30);

    /// <summary>Longest pause while no router answers; a new router may have been installed.</summary>
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(15);
    private static readonly TimeSpan LeastWait = TimeSpan.FromMinutes(1);

    /// <summary>
    /// For both protocols together. A router may take a second for each, and what it mapped for ever stays open if it is not removed.
    /// </summary>
    private static readonly TimeSpan UnmapTimeout = TimeSpan.FromSeconds(3);

    private readonly Func<IReadOnlyList<IPortMapper>> _find;
    private readonly Action<PortMappingStatus> _changed;
    private readonly TimeProvider _time;
    private readonly int _port;
    private readonly bool _isSix;
    private readonly CancellationTokenSource _stopping = new();
    private readonly Task _running;

    /// <summary>Starts to map the port.</summary>
    /// <param name="port">Our port, for TCP and UDP.</param>
    /// <param name="find">Finds the routers; none = this machine is not in a private network.</param>
    /// <param name="changed">Receives the state after each round, but not after the end.</param>
    /// <param name="time">Drives renewals.</param>
    /// <param name="after">Must complete before this starts; null = nothing.</param>
    /// <param name="isSix">True for IPv6 pinholes. The routers are then found again in each round, because the system changes our
    /// addresses.</param>
    public PortMapping(
        int port,
        Func<IReadOnlyList<IPortMapper>> find,
        Action<PortMappingStatus> changed,
        TimeProvider time,
        Task? after = null,
        bool isSix = false)
    {
        _isSix = isSix;
        _port = port;
        _find = find;
        _changed = changed;
        _time = time;
        _running = Task.Run(() => RunAsync(after ?? Task.CompletedTask));
    }

    /// <summary>Removes the mappings. Takes three seconds at most.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        await _running;
        _stopping.Dispose();
    }

    private async Task RunAsync(Task after)
    {
        IReadOnlyList<IPortMapper> routers = [];
        var pause = FirstPause;
        await after;
        try
        {
            while (true)
            {
                if (routers.Count == 0 || _isSix)
                    routers = _find();
                var (wait, status) = await MapAsync(routers);
                _changed(status);

                if (status.Method is null)
                {
                    // The next attempt may find another router.
                    routers = [];
                    await Task.Delay(pause, _time, _stopping.Token);
                    pause = TimeSpan.FromTicks(Math.Min(LongestPause.Ticks, 2 * pause.Ticks));
                    continue;
                }

                pause = FirstPause;
                await Task.Delay(wait, _time, _stopping.Token);
            }
        }
        catch (OperationCanceledException)
        {
            // The engine is being closed, or now uses another port.
        }

        using var timeout = new CancellationTokenSource(UnmapTimeout, _time);
        try
        {
            await Task.WhenAll(routers.Select(router => UnmapAsync(router, timeout.Token)));
        }
        catch (OperationCanceledException)
        {
            // The mapping expires by itself.
        }
    }

    /// <summary>Requests both ports from all routers. The status is that of the first router that grants one.</summary>
    private async Task<(TimeSpan Wait, PortMappingStatus Status)> MapAsync(IReadOnlyList<IPortMapper> routers)
    {
        TimeSpan? wait = null;
        PortMappingStatus? found = null;
        string? refusal = null;
        foreach (var router in routers)
        {
            PortLease? first = null;
            var granted = new Dictionary<MappingProtocol, int>();
            foreach (var protocol in Enum.GetValues<MappingProtocol>())
            {
                var outcome = await router.MapAsync(protocol, _port, Lifetime, _stopping.Token);
                refusal ??= outcome.Refusal;
                if (outcome.Lease is not { } lease)
                    continue;

                // A faulty router may grant a lifetime of seconds. Renewing that often would be useless.
                var half = TimeSpan.FromTicks(Math.Max(LeastWait.Ticks, lease.Lifetime.Ticks / 2));
                wait = wait is { } earlier && earlier < half ? earlier : half;
                granted[protocol] = lease.ExternalPort;
                first ??= lease;
            }

            if (first is { } granting)
                found ??= new PortMappingStatus(granting.Method, granting.ExternalAddress, granted.GetValueOrDefault(MappingProtocol.Tcp),
                    granted.GetValueOrDefault(MappingProtocol.Udp), DescribeDoubleNat(granting.ExternalAddress));
        }

        return (wait ?? LongestPause, found ?? (routers.Count == 0
            ? PortMappingStatus.None with { HasRouter = false } : PortMappingStatus.None with { Trouble = Advice(refusal) }));
    }

    private async Task UnmapAsync(IPortMapper router, CancellationToken cancellationToken)
    {
        foreach (var protocol in Enum.GetValues<MappingProtocol>())
            await router.MapAsync(protocol, _port, TimeSpan.Zero, cancellationToken);
    }

    private string Advice(string? refusal) => _isSix
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"The router {(refusal is null ? "does not answer to PCP or UPnP by IPv6" : $"lets nobody in by IPv6 ({refusal})")}. "
            + $"If it blocks what comes in, allow port {_port} (TCP and UDP) to this machine there.")
        : refusal is null
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"No router answers to PCP, NAT-PMP or UPnP. For peers to reach this server, switch one of them on in the router, or forward " +
            $"port {_port} (TCP and UDP) to this machine there.")
        : string.Create(
            CultureInfo.InvariantCulture,
            $"The router does not open port {_port} ({refusal}). Allow this machine to map ports there, or forward the port (TCP and " +
            $"UDP) by hand.");

    /// <summary>
    /// A warning if the router's own address is private, which means that there is another router before it; otherwise null.
    /// </summary>
    private string? DescribeDoubleNat(IPAddress? address) => address is not null
        && new DatagramAddress(new IPEndPoint(address, _port)).IsLocal
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"The router opened port {_port}, but has the private address {address} itself: forward the port in the router before it " +
            $"too, or ask the provider for a public address.")
        : null;
}
