using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.Logging;
using NzbDav.Content.Dialling;

namespace NzbDav.Access.Connections;

/// <summary>
/// Limits the connections of clients that have not signed in, so that one client cannot use all of the server's connections: see
/// <see cref="UnauthenticatedLimits"/>. Thread-safe.
/// </summary>
/// <param name="isProxy">True for the address of a trusted proxy: its connections are not counted, because each may belong to another
/// client.</param>
/// <param name="time">Clock for idle connections.</param>
/// <param name="logger">Logs once a minute that connections were refused.</param>
/// <param name="bounds">The limits; null: the defaults.</param>
public sealed partial class ConnectionSlots(
    Func<IPAddress, bool> isProxy, TimeProvider time, ILogger<ConnectionSlots> logger, UnauthenticatedLimits? bounds = null)
{
    private const string RefusedMessage = "{Refused} connections were closed at once, the last from {Address}: one address "
        + "may have {Most} on which nobody has signed in. If it is a reverse proxy, name it in NzbDav__Access__TrustedProxies.";

    private static readonly TimeSpan ReportInterval = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, LinkedList<ConnectionSlot>> _unauthenticated = [];
    private int _count;
    private long _refused;
    private DateTimeOffset _nextReport;

    public UnauthenticatedLimits Bounds { get; } = bounds ?? new UnauthenticatedLimits();

    /// <summary>Number of connections on which nobody has signed in.</summary>
    internal int Unauthenticated
    {
        get
        {
            lock (_gate)
                return _count;
        }
    }

    /// <summary>Serves a connection, or closes it at once. Must come before all other connection middleware, including TLS.</summary>
    internal async Task ServeAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        // Unix domain sockets have no address.
        if ((connection.RemoteEndPoint as IPEndPoint)?.Address is not { } address || isProxy(address))
        {
            await next(connection);
            return;
        }

        using var slot = Enter(connection, address);
        if (slot is null)
            return;
        connection.Features.Set(slot);
        await next(connection);
    }

    /// <summary>Runs a request. Until its sender is known, the client must read the response at a minimum rate.</summary>
    internal Task ServeAsync(HttpContext http, RequestDelegate next) =>
        http.Features.Get<ConnectionSlot>() is { IsUnauthenticated: true } slot ? ServeAsync(http, slot, next) : next(http);

    internal void Release(ConnectionSlot slot)
    {
        lock (_gate)
            Remove(slot);
    }

    private async Task ServeAsync(HttpContext http, ConnectionSlot slot, RequestDelegate next)
    {
        if (http.Features.Get<IHttpMinResponseDataRateFeature>() is { } rate)
            rate.MinDataRate = Bounds.ReadRate;
        slot.RequestStarted();
        try
        {
            await next(http);
        }
        finally
        {
            slot.RequestEnded();
        }
    }

    /// <summary>Returns null if the address has reached its limit.</summary>
    private ConnectionSlot? Enter(ConnectionContext connection, IPAddress address)
    {
        var block = AddressBlock.Of(address);
        ConnectionSlot? slot = null;
        ConnectionSlot? evicted = null;
        long refused = 0;
        lock (_gate)
        {
            if (_unauthenticated.TryGetValue(block, out var own) && own.Count >= Bounds.PerAddress)
            {
                refused = CountRefused();
            }
            else
            {
                evicted = _count >= Bounds.InAll ? _unauthenticated.Values.MaxBy(static places => places.Count)!.First!.Value : null;
                if (evicted is not null)
                    Remove(evicted);
                slot = new ConnectionSlot(this, connection, block, time);
                if (!_unauthenticated.TryGetValue(block, out own))
                    _unauthenticated[block] = own = [];
                own.AddLast(slot);
                _count++;
            }
        }

        evicted?.Abort();
        if (refused > 0)
            LogRefused(logger, refused, address, Bounds.PerAddress);
        return slot;
    }

    private void Remove(ConnectionSlot slot)
    {
        if (!_unauthenticated.TryGetValue(slot.Block, out var slots) || !slots.Remove(slot))
            return;
        _count--;
        if (slots.Count == 0)
            _unauthenticated.Remove(slot.Block);
    }

    /// <summary>Number of refused connections since the last log line; 0 if that is less than a minute ago.</summary>
    private long CountRefused()
    {
        _refused++;
        var now = time.GetUtcNow();
        if (now < _nextReport)
            return 0;
        _nextReport = now + ReportInterval;
        (var refused, _refused) = (_refused, 0);
        return refused;
    }

    [LoggerMessage(506, LogLevel.Warning, RefusedMessage)]
    private static partial void LogRefused(ILogger logger, long refused, IPAddress address, int most);
}

/// <summary>Limits for connections on which nobody has signed in, out of the server's 2,000 in all (<c>WebDavServerLimits</c>).</summary>
public sealed record UnauthenticatedLimits
{
    /// <summary>
    /// Connections of one address (IPv6: of one /64). 200 players behind one address that connect at the same time are all unauthenticated
    /// for a moment: the check of a password takes 0.1 s.
    /// </summary>
    public int PerAddress { get; init; } = 256;

    /// <summary>
    /// Connections of all addresses. The rest is reserved for signed-in clients. Above this limit, a connection of the address with the
    /// most connections is closed.
    /// </summary>
    public int InAll { get; init; } = 1_500;

    /// <summary>
    /// How long a connection may wait for its first or next request. Browsers and players open another connection when they need one.
    /// </summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>
    /// Minimum rate at which a response must be read, in bytes per second after a grace period: HTTP/1.1 only. At worst, the page's six
    /// connections share a phone's 10 KB/s.
    /// </summary>
    public MinDataRate ReadRate { get; init; } = new(1_024, TimeSpan.FromSeconds(10));
}
