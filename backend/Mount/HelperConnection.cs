using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using NzbDav.Mount.Protocol;

namespace NzbDav.Mount;

/// <summary>The server's end of a connection to the mount helper. The helper unmounts when it closes.</summary>
internal sealed partial class HelperConnection : IAsyncDisposable
{
    /// <summary>How long until the log says that the helper hands nothing over. It mounts in milliseconds.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    /// <summary>How long the helper may take to unmount before the mount is cut off.</summary>
    private static readonly TimeSpan UnmountLimit = TimeSpan.FromSeconds(2);

    private readonly Socket _socket;
    private readonly TimeProvider _time;

    private HelperConnection(Socket socket, int descriptor, TimeProvider time)
    {
        (_socket, Descriptor, _time) = (socket, descriptor, time);
        Ended = WaitForEndAsync();
    }

    /// <summary>Serves the mount. Owned by the caller.</summary>
    public int Descriptor { get; }

    /// <summary>Completes when the helper has closed the connection: it stopped, or has unmounted.</summary>
    public Task Ended { get; }

    /// <summary>Connects, and waits for the descriptor of a mount.</summary>
    /// <exception cref="MountException">There is no helper, or it could not mount.</exception>
    public static async Task<HelperConnection> OpenAsync(
        string path, TimeProvider time, ILogger logger, CancellationToken cancellationToken)
    {
        if (!OperatingSystem.IsLinux())
            throw new MountException("A mount needs Linux and its FUSE. Elsewhere, connect over WebDAV.");
        if (!File.Exists(path))
            throw new MountException($"There is no mount helper at {path}. Start it: nzbdav mount-helper --socket {path} DIR");
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        var descriptor = -1;
        try
        {
            await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), cancellationToken);

            // Until there is something to receive: the descriptor comes with a byte.
            var arrives = socket.ReceiveAsync(Memory<byte>.Empty, cancellationToken).AsTask();
            if (await Task.WhenAny(arrives, Task.Delay(Patience, time, cancellationToken)) != arrives)
                LogWaits(logger, path);
            await arrives;
            descriptor = FuseDevice.ReceiveDescriptor((int)socket.SafeHandle.DangerousGetHandle());
        }
        catch (SocketException e)
        {
            throw new MountException($"The mount helper at {path} cannot be reached: {e.Message}.");
        }
        finally
        {
            if (descriptor < 0)
                socket.Dispose();
        }

        if (descriptor < 0)
            throw new MountException($"The mount helper at {path} has not mounted: its log says why.");
        return new(socket, descriptor, time);
    }

    /// <summary>Closes the connection, after the helper has unmounted.</summary>
    public async ValueTask DisposeAsync()
    {
        try
        {
            _socket.Shutdown(SocketShutdown.Send);
            await Task.WhenAny(Ended, Task.Delay(UnmountLimit, _time));
        }
        catch (SocketException)
        {
            // The helper has gone.
        }

        _socket.Dispose();
    }

    private async Task WaitForEndAsync()
    {
        try
        {
            while (await _socket.ReceiveAsync(new byte[1]) > 0)
            {
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
        }
    }

    [LoggerMessage(1814, LogLevel.Information, "Waiting for the mount helper at {Socket}: it serves another server, or cannot be reached.")]
    private static partial void LogWaits(ILogger logger, string socket);
}
