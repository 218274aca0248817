using System.Net;
using System.Net.Sockets;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>Free loopback ports, for programs that cannot choose one themselves.</summary>
internal static class LoopbackPort
{
    /// <summary>A port that is free now, chosen by the kernel.</summary>
    public static int Free()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
