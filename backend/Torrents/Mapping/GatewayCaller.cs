using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Xml.Linq;

namespace NzbDav.Torrents.Mapping;

/// <summary>
/// Fetches descriptions and calls services by HTTP (UPnP Device Architecture 1.0, 2 and 3): without proxy, redirect or cookie, and only to
/// the requested host.
/// </summary>
internal sealed class GatewayCaller : IDisposable
{
    /// <summary>
    /// Time limit of a request. The specification lets a control point wait 30 seconds, but a router that takes longer than ten is useless.
    /// </summary>
    private static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(10);

    private readonly Func<SocketType, Socket?> _create;
    private readonly TimeProvider _time;
    private readonly IPAddress? _from;
    private readonly HttpClient _http;

    /// <param name="create">Creates sockets of the router's family; null = not allowed.</param>
    /// <param name="time">Drives time-outs.</param>
    /// <param name="from">Our address to call from; null = the one that leads to the router.</param>
    public GatewayCaller(Func<SocketType, Socket?> create, TimeProvider time, IPAddress? from = null)
    {
        _from = from;
        _create = create;
        _time = time;
        var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            AllowAutoRedirect = false,
            UseCookies = false,
            MaxResponseHeadersLength = 16,
            ConnectCallback = ConnectAsync
        };
        _http = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan, MaxResponseContentBufferSize = GatewayDescription.MostBytes };
        _http.DefaultRequestHeaders.ConnectionClose = true;
    }

    /// <summary>Our address on the last connection: packets for us must be sent there.</summary>
    public IPAddress? Local { get; private set; }

    /// <summary>Reads the services of the device at an address; empty if it does not answer.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<IReadOnlyList<GatewayService>> DescribeAsync(
        Uri location, IReadOnlyList<string> types, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, location);
        return await SendAsync(request, cancellationToken) is (true, { } xml) ? GatewayDescription.Read(xml, location, types) : [];
    }

    /// <summary>Calls an action. Null if there is no answer.</summary>
    /// <param name="service">The service to call.</param>
    /// <param name="action">Name of the action.</param>
    /// <param name="arguments">In the order of the service's description, because some devices read them by position.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<SoapAnswer?> CallAsync(
        GatewayService service, string action, IEnumerable<(string Name, string Value)> arguments, CancellationToken cancellationToken)
    {
        XNamespace soap = "http://schemas.xmlsoap.org/soap/envelope/";
        XNamespace type = service.Type;
        var call = new XElement(type + action, new XAttribute(XNamespace.Xmlns + "u", type),
            arguments.Select(static argument => new XElement(argument.Name, argument.Value)));
        var envelope = new XElement(
            soap + "Envelope", new XAttribute(XNamespace.Xmlns + "s", soap),
            new XAttribute(soap + "encodingStyle", "http://schemas.xmlsoap.org/soap/encoding/"), new XElement(soap + "Body", call));
        using var request = new HttpRequestMessage(HttpMethod.Post, service.Control);
        request.Headers.TryAddWithoutValidation("SOAPAction", $"\"{service.Type}#{action}\"");
        request.Content = new StringContent(
            "<?xml version=\"1.0\"?>\r\n" + envelope.ToString(SaveOptions.DisableFormatting), Encoding.UTF8, "text/xml");
        if (await SendAsync(request, cancellationToken) is not { Bytes: { } bytes } answer)
            return null;
        var body = GatewayDescription.TryParse(bytes);
        if (answer.IsGood)
            return body is null
                ? new SoapAnswer(Values: null, Fault: 0, "its answer cannot be read") : new SoapAnswer(body, Fault: 0, Reason: null);

        // 3.2.2: <UPnPError><errorCode>718</errorCode><errorDescription>ConflictInMappingEntry</errorDescription></UPnPError>, with status
        // 500.
        var fault = new SoapAnswer(body, Fault: 0, Reason: null);
        var code = int.TryParse(fault.Find("errorCode"), NumberStyles.None, CultureInfo.InvariantCulture, out var told) ? told : 0;
        return new SoapAnswer(Values: null, code, code == 0 ? "an error without a number" : string.Create(
            CultureInfo.InvariantCulture, $"error {code} {Clean(fault.Find("errorDescription"))}").TrimEnd());
    }

    public void Dispose() => _http.Dispose();

    /// <summary>Makes a text safe for the log.</summary>
    private static string Clean(string? text) => text is null ? "" : new string([.. text.Where(static c => !char.IsControl(c)).Take(80)]);

    private async Task<(bool IsGood, byte[]? Bytes)> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        using var patience = new CancellationTokenSource(RequestTimeout, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
        try
        {
            using var response = await _http.SendAsync(request, either.Token);
            return (response.IsSuccessStatusCode, await response.Content.ReadAsByteArrayAsync(either.Token));
        }
        catch (Exception error) when (error is HttpRequestException or IOException or SocketException or ObjectDisposedException)
        {
            return default;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return default;
        }
    }

    private async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        // The host is an address, never a name: nothing is resolved here.
        var socket = _create(SocketType.Stream) ?? throw new IOException("The network has changed.");
        try
        {
            if (_from is not null)
                socket.Bind(new IPEndPoint(_from, 0));
            await socket.ConnectAsync(
                new IPEndPoint(IPAddress.Parse(context.DnsEndPoint.Host), context.DnsEndPoint.Port), cancellationToken);
            Local = ((IPEndPoint)socket.LocalEndPoint!).Address;
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}

/// <summary>A device's answer to a call.</summary>
/// <param name="Values">The returned values; null = the device refused.</param>
/// <param name="Fault">UPnP error code; 0 = none was sent.</param>
/// <param name="Reason">Why the device refused, for the user.</param>
internal sealed record SoapAnswer(XElement? Values, int Fault, string? Reason)
{
    /// <summary>A value by its name; null if it is missing.</summary>
    public string? Find(string name) => Values?.Descendants().FirstOrDefault(element => element.Name.LocalName == name)?.Value.Trim();
}
