using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Xml.Linq;

namespace NzbDav.Torrents.Tests.Mapping;

/// <summary>An Internet Gateway Device on loopback: answers searches, describes itself and maps ports, and refuses with the errors that the
/// UPnP Forum has for it. Keeps clients to the protocol.</summary>
internal sealed class MockGateway : IDisposable
{
    private readonly UdpClient _search;
    private readonly TcpListener _http;
    private readonly IPAddress _address;

    /// <param name="six">It is one for IPv6: its service makes pinholes in a firewall, and maps nothing.</param>
    public MockGateway(bool six = false)
    {
        _address = six ? IPAddress.IPv6Loopback : IPAddress.Loopback;
        (_search, _http) = (new UdpClient(new IPEndPoint(_address, 0)), new TcpListener(_address, 0));
        Service = six ? "WANIPv6FirewallControl" : null;
        _http.Start();
        _ = SearchAsync();
        _ = ServeAsync();
    }

    /// <summary>Version of WANIPConnection.</summary>
    public int Version { get; init; } = 1;

    /// <summary>Of the service; null = WANIPConnection.</summary>
    public string? Service { get; init; }

    /// <summary>Error 725 for a lease that ends.</summary>
    public bool OnlyPermanent { get; init; }

    /// <summary>Error with which every mapping is refused; 0 = none is.</summary>
    public int Refuses { get; init; }

    /// <summary>External ports that another machine has: error 718.</summary>
    public HashSet<int> Taken { get; } = [];

    public string ExternalAddress { get; init; } = "203.0.113.7";

    /// <summary>Where searches are told to look; null = at this one's description.</summary>
    public string? Location { get; init; }

    /// <summary>The control address in the description.</summary>
    public string Control { get; init; } = "/ctl/IPConn";

    /// <summary>Before the description's root.</summary>
    public string Prolog { get; init; } = "<?xml version=\"1.0\"?>";

    /// <summary>Inside the description; null = none.</summary>
    public string? UrlBase { get; init; }

    public IPEndPoint Group => (IPEndPoint)_search.Client.LocalEndPoint!;

    public int Port => ((IPEndPoint)_http.LocalEndpoint).Port;

    public int Connections { get; private set; }

    /// <summary>What was searched for.</summary>
    public ConcurrentQueue<string> Searched { get; } = [];

    /// <summary>What was called: action, external port, protocol, internal port, seconds.</summary>
    public ConcurrentQueue<(string Action, int External, string Protocol, int Internal, int Seconds)> Called { get; } = [];

    /// <summary>External port and protocol, and where they lead.</summary>
    public ConcurrentDictionary<(int External, string Protocol), string> Mappings { get; } = [];

    /// <summary>Pinholes by number: protocol, our address, port and seconds.</summary>
    public ConcurrentDictionary<string, (string Protocol, string Client, int Port, int Seconds)> Pinholes { get; } = [];

    public void Dispose()
    {
        _search.Dispose();
        _http.Dispose();
    }

    private string Type => $"urn:schemas-upnp-org:service:{Service ?? "WANIPConnection"}:{Version}";

    private async Task SearchAsync()
    {
        try
        {
            while (true)
            {
                var question = await _search.ReceiveAsync();
                var lines = Encoding.ASCII.GetString(question.Buffer).Split("\r\n");
                Assert.Equal("M-SEARCH * HTTP/1.1", lines[0]);
                Assert.Contains("MAN: \"ssdp:discover\"", lines);
                Assert.Contains("MX: 1", lines);
                var target = lines.Single(static line => line.StartsWith("ST: ", StringComparison.Ordinal))[4..];
                Searched.Enqueue(target);
                if (target != $"urn:schemas-upnp-org:device:InternetGatewayDevice:{Version}")
                    continue;
                var answer =
                    $"HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=120\r\nST: {target}\r\nUSN: uuid:1::{target}\r\nEXT:\r\nSERVER: " +
                    $"Mock/1\r\nLocation: {Location ?? $"http://{new IPEndPoint(_address, Port)}/rootDesc.xml"}\r\n\r\n";
                await _search.SendAsync(Encoding.ASCII.GetBytes(answer), question.RemoteEndPoint);
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Disposed.
        }
    }

    private async Task ServeAsync()
    {
        try
        {
            while (true)
            {
                using var client = await _http.AcceptTcpClientAsync();
                Connections++;
                await AnswerAsync(client.GetStream());
            }
        }
        catch (Exception error) when (error is SocketException or InvalidOperationException or IOException)
        {
            // Disposed.
        }
    }

    private async Task AnswerAsync(NetworkStream stream)
    {
        using var reader = new StreamReader(stream, Encoding.UTF8);
        var first = await reader.ReadLineAsync() ?? "";
        var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        while (await reader.ReadLineAsync() is { Length: > 0 } line)
            headers[line[..line.IndexOf(':', StringComparison.Ordinal)]] = line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
        if (first.StartsWith("GET /rootDesc.xml ", StringComparison.Ordinal))
        {
            await ReplyAsync(stream, "200 OK", Describe());
            return;
        }

        Assert.StartsWith("POST /ctl/IPConn ", first, StringComparison.Ordinal);
        Assert.Equal("text/xml; charset=utf-8", headers["Content-Type"]);
        var body = new char[int.Parse(headers["Content-Length"], CultureInfo.InvariantCulture)];
        await reader.ReadBlockAsync(body);
        var call = XElement.Parse(new string(body)).Descendants().Single(element => element.Name.NamespaceName == Type);
        Assert.Equal($"\"{Type}#{call.Name.LocalName}\"", headers["SOAPAction"]);
        var (fault, values) = Call(
            call.Name.LocalName, call.Elements().ToDictionary(static element => element.Name.LocalName, static element => element.Value));
        var inside = fault == 0
            ? $"<u:{call.Name.LocalName}Response xmlns:u=\"{Type}\">{values}</u:{call.Name.LocalName}Response>"
            : $"<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail><UPnPError " +
                $"xmlns=\"urn:schemas-upnp-org:control-1-0\"><errorCode>{fault}</errorCode><errorDescription>Mock " +
                $"{fault}</errorDescription></UPnPError></detail></s:Fault>";
        await ReplyAsync(
            stream, fault == 0
            ? "200 OK" : "500 Internal Server Error",
            $"<?xml version=\"1.0\"?><s:Envelope " +
            $"xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>{inside}</s:Body></s:Envelope>");
    }

    private string Describe() =>
        $"""
        {Prolog}<root xmlns="urn:schemas-upnp-org:device-1-0">{(UrlBase is null ? "" : $"<URLBase>{UrlBase}</URLBase>")}<device><deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:{Version}</deviceType>
        <deviceList><device><deviceList><device><serviceList>
        <service><serviceType>urn:schemas-upnp-org:service:WANPPPConnection:9</serviceType><controlURL>/wrong</controlURL></service>
        <service><serviceType>{Type}</serviceType><controlURL>{Control}</controlURL></service>
        </serviceList></device></deviceList></device></deviceList></device></root>
        """;

    private (int Fault, string Values) Call(string action, Dictionary<string, string> values)
    {
        if (action == "GetExternalIPAddress")
            return (0, $"<NewExternalIPAddress>{ExternalAddress}</NewExternalIPAddress>");
        if (action.EndsWith("Pinhole", StringComparison.Ordinal))
            return CallPinhole(action, values);
        int Number(string name) => values.TryGetValue(name, out var text) ? int.Parse(text, CultureInfo.InvariantCulture) : 0;
        var (external, protocol, port, seconds) =
            (Number("NewExternalPort"), values["NewProtocol"], Number("NewInternalPort"), Number("NewLeaseDuration"));
        Called.Enqueue((action, external, protocol, port, seconds));
        Assert.Equal("", values["NewRemoteHost"]);
        if (action == "DeletePortMapping")
            return (Mappings.TryRemove((external, protocol), out _) ? 0 : 714, "");
        if (action == "AddAnyPortMapping" && Version == 1)
            return (401, "");
        Assert.Equal("127.0.0.1", values["NewInternalClient"]);
        Assert.Equal("1", values["NewEnabled"]);
        if (Refuses != 0)
            return (Refuses, "");
        if (OnlyPermanent && seconds != 0)
            return (725, "");
        if (action == "AddAnyPortMapping")
        {
            while (Taken.Contains(external))
                external++;
        }
        else if (Taken.Contains(external))
        {
            return (718, "");
        }

        Mappings[(external, protocol)] = $"127.0.0.1:{port}";
        return (0, action == "AddAnyPortMapping" ? $"<NewReservedPort>{external}</NewReservedPort>" : "");
    }

    /// <summary>WANIPv6FirewallControl 1, 2.6: error 704 for a number that is not known.</summary>
    private (int Fault, string Values) CallPinhole(string action, Dictionary<string, string> values)
    {
        var id = values.GetValueOrDefault("UniqueID", "");
        var lease = int.Parse(
            values.GetValueOrDefault("LeaseTime") ?? values.GetValueOrDefault("NewLeaseTime") ?? "0", CultureInfo.InvariantCulture);
        Called.Enqueue((action, 0, values.GetValueOrDefault("Protocol", id), 0, lease));
        switch (action)
        {
            case "AddPinhole":
                Assert.Equal(["RemoteHost", "RemotePort", "InternalClient", "InternalPort", "Protocol", "LeaseTime"], values.Keys);
                Assert.Equal(("", "0"), (values["RemoteHost"], values["RemotePort"]));
                Assert.InRange(lease, 1, 86_400);
                if (Refuses != 0)
                    return (Refuses, "");
                id = $"{Pinholes.Count + 100}";
                Pinholes[id] =
                    (values["Protocol"], values["InternalClient"], int.Parse(values["InternalPort"], CultureInfo.InvariantCulture), lease);
                return (0, $"<UniqueID>{id}</UniqueID>");
            case "UpdatePinhole":
                return (Pinholes.ContainsKey(id) ? 0 : 704, "");
            case "DeletePinhole":
                return (Pinholes.TryRemove(id, out _) ? 0 : 704, "");
            default:
                return (401, "");
        }
    }

    private static async Task ReplyAsync(NetworkStream stream, string status, string body)
    {
        var bytes = Encoding.UTF8.GetBytes(body);
        await stream.WriteAsync(
            Encoding.ASCII.GetBytes(
            $"HTTP/1.1 {status}\r\nContent-Type: text/xml; charset=\"utf-8\"\r\nContent-Length: {bytes.Length}\r\nConnection: " +
            $"close\r\n\r\n"));
        await stream.WriteAsync(bytes);
    }
}
