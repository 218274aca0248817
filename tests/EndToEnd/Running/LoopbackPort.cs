using System.Net;
using System.Net.Sockets;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>Ports of loopback for whoever cannot choose one by itself.</summary>
internal static class LoopbackPort
{
    /// <summary>One that is free now: the kernel's choice.</summary>
    public static int Free()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
