using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.Logging;
using NzbDav.Content.Dialling;

namespace NzbDav.Access.Connections;

/// <summary>
/// Bounds what those who have not signed in hold open, so that one stranger cannot take all of the server's connections: see
/// <see cref="UnauthenticatedLimits"/>. Thread-safe.
/// </summary>
/// <param name="isProxy">
/// True for the address of a trusted proxy: its connections are left out, because each may be another client's.
/// </param>
/// <param name="time">Clock for idle connections.</param>
/// <param name="logger">Logs once a minute that connections were refused.</param>
/// <param name="bounds">The bounds; null: the usual ones.</param>
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

    /// <summary>What counts here.</summary>
    public UnauthenticatedLimits Bounds { get; } = bounds ?? new UnauthenticatedLimits();

    /// <summary>Connections on which nobody has signed in.</summary>
    internal int Unauthenticated
    {
        get
        {
            lock (_gate)
                return _count;
        }
    }

    /// <summary>Serves a connection, or closes it at once. Goes in before everything else that handles connections, TLS too.</summary>
    internal async Task ServeAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        // A socket of this machine's file system has no address.
        if ((connection.RemoteEndPoint as IPEndPoint)?.Address is not { } address || isProxy(address))
        {
            await next(connection);
            return;
        }

        using var place = Enter(connection, address);
        if (place is null)
            return;
        connection.Features.Set(place);
        await next(connection);
    }

    /// <summary>Runs a request. While its sender is not known, the answer has to be read at some speed.</summary>
    internal Task ServeAsync(HttpContext http, RequestDelegate next) =>
        http.Features.Get<ConnectionSlot>() is { IsUnauthenticated: true } place ? ServeAsync(http, place, next) : next(http);

    internal void Release(ConnectionSlot place)
    {
        lock (_gate)
            Remove(place);
    }

    private async Task ServeAsync(HttpContext http, ConnectionSlot place, RequestDelegate next)
    {
        if (http.Features.Get<IHttpMinResponseDataRateFeature>() is { } rate)
            rate.MinDataRate = Bounds.ReadRate;
        place.RequestStarted();
        try
        {
            await next(http);
        }
        finally
        {
            place.RequestEnded();
        }
    }

    /// <summary>Null if the address has enough.</summary>
    private ConnectionSlot? Enter(ConnectionContext connection, IPAddress address)
    {
        var block = AddressBlock.Of(address);
        ConnectionSlot? place = null;
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
                place = new ConnectionSlot(this, connection, block, time);
                if (!_unauthenticated.TryGetValue(block, out own))
                    _unauthenticated[block] = own = [];
                own.AddLast(place);
                _count++;
            }
        }

        evicted?.Abort();
        if (refused > 0)
            LogRefused(logger, refused, address, Bounds.PerAddress);
        return place;
    }

    private void Remove(ConnectionSlot place)
    {
        if (!_unauthenticated.TryGetValue(place.Block, out var places) || !places.Remove(place))
            return;
        _count--;
        if (places.Count == 0)
            _unauthenticated.Remove(place.Block);
    }

    /// <summary>How many were refused since the log was last told; 0 if that is less than a minute ago.</summary>
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

/// <summary>
/// What connections on which nobody has signed in may take, of the server's 2,000 in all (<c>WebDavServerLimits</c>).
/// </summary>
public sealed record UnauthenticatedLimits
{
    /// <summary>
    /// Connections of one address (IPv6: of one /64). 200 players behind one address that all connect at once have not signed in for a
    /// moment: the check of their password takes 0.1 s.
    /// </summary>
    public int PerAddress { get; init; } = 256;

    /// <summary>
    /// Connections of all addresses. Those who have signed in keep the rest, and beyond it the most crowded address gives way.
    /// </summary>
    public int InAll { get; init; } = 1_500;

    /// <summary>
    /// How long a connection may wait for a request, the first or the next. Browsers and players open another one when they need it.
    /// </summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>
    /// How fast an answer must be read, in bytes a second after a grace period: HTTP/1.1 only. The page's six connections share a phone's
    /// 10 KB/s at worst.
    /// </summary>
    public MinDataRate ReadRate { get; init; } = new(1_024, TimeSpan.FromSeconds(10));
}
