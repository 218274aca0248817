using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;
using NzbDav.Mount.Protocol;

namespace NzbDav.Mount;

/// <summary>Settings of the mount helper.</summary>
public sealed record MountHelperOptions
{
    /// <summary>The folder to mount: absolute and without symbolic links. It is created if it is missing.</summary>
    public required string Folder { get; init; }

    /// <summary>The Unix socket at which servers ask for the mount. A file that is there is replaced.</summary>
    public required string Socket { get; init; }

    /// <summary>Who may connect.</summary>
    public UnixFileMode Mode { get; init; } =
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;

    /// <summary>True: all users may use the mount.</summary>
    public bool AllowsOthers { get; init; } = true;

    /// <summary>The server's user: owns the socket and the mount. Null: that of this process.</summary>
    public uint? User { get; init; }

    /// <summary>The server's group.</summary>
    public uint? Group { get; init; }
}

/// <summary>
/// Mounts for servers that may not. Each that connects to its socket is handed the descriptor of a new mount; when the connection closes,
/// it unmounts. One server at a time, the others wait. Nothing that a server sends is looked at.
/// </summary>
/// <param name="options">What to mount, and for whom.</param>
/// <param name="logger">Logs what it does.</param>
public sealed partial class MountHelper(MountHelperOptions options, ILogger logger)
{
    private string? _failure;

    /// <summary>Serves until it is told to stop; then it unmounts.</summary>
    /// <exception cref="MountException">It cannot start; the message says why and what to do.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        if (!OperatingSystem.IsLinux())
            throw new MountException("A mount needs Linux and its FUSE. Elsewhere, connect over WebDAV.");
        if (!File.Exists(FuseDevice.Path))
            throw new MountException($"There is no {FuseDevice.Path}: load the kernel's module fuse, or pass the device to the container.");
        MountFolder.TakeOver(options.Folder, logger);
        using var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            if (!Directory.Exists(options.Folder))
                Directory.CreateDirectory(options.Folder);
            Listen(listener);
        }
        catch (Exception e) when (e is SocketException or IOException or UnauthorizedAccessException)
        {
            throw new MountException($"{options.Folder} cannot be offered at {options.Socket}: {e.Message}");
        }

        LogListening(logger, options.Socket, options.Folder);
        try
        {
            while (true)
            {
                using var server = await listener.AcceptAsync(cancellationToken);
                await ServeAsync(server, cancellationToken);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
        }
        finally
        {
            File.Delete(options.Socket);
        }
    }

    private void Listen(Socket listener)
    {
        File.Delete(options.Socket);
        listener.Bind(new UnixDomainSocketEndPoint(options.Socket));

#pragma warning disable CA1416 // Linux alone gets here.
        File.SetUnixFileMode(options.Socket, options.Mode);
#pragma warning restore CA1416
        const uint Unchanged = uint.MaxValue;
        if ((options.User ?? options.Group) is not null
            && LinuxCalls.ChangeOwner(options.Socket, options.User ?? Unchanged, options.Group ?? Unchanged) != 0)
        {
            throw new MountException(
                $"{options.Socket} cannot be given to the server's user ({Marshal.GetLastPInvokeErrorMessage()}): it takes CHOWN.");
        }

        listener.Listen();
    }

    private async Task ServeAsync(Socket server, CancellationToken cancellationToken)
    {
        int descriptor;
        try
        {
            descriptor = Mount();
        }
        catch (Exception e) when (e is MountException or IOException or UnauthorizedAccessException)
        {
            // A server tries again every few seconds.
            if (_failure != e.Message)
                LogFailed(logger, e.Message);
            _failure = e.Message;
            return;
        }

        _failure = null;
        try
        {
            var isSent = FuseDevice.SendDescriptor((int)server.SafeHandle.DangerousGetHandle(), descriptor);

            // The mount lives as long as the server's copy.
            LinuxCalls.Close(descriptor);
            if (!isSent)
                return;
            LogMounted(logger, options.Folder);

            // It has nothing to say: whatever arrives is the end.
            await server.ReceiveAsync(new byte[1], cancellationToken);
        }
        catch (SocketException)
        {
            // It was killed.
        }
        finally
        {
            Unmount();
        }
    }

    private int Mount()
    {
        var descriptor = MountFolder.Mount(options.Folder, options.AllowsOthers, options.User, options.Group, logger);

        // Otherwise it could not tell its own mount from others when it unmounts.
        if (FuseDevice.IsMounted(options.Folder))
            return descriptor;
        FuseDevice.Unmount(options.Folder);
        LinuxCalls.Close(descriptor);
        throw new MountException($"{options.Folder} leads over a symbolic link: name the folder itself.");
    }

    private void Unmount()
    {
        // Somebody else may have unmounted it; what is below it stays.
        if (!FuseDevice.IsMounted(options.Folder))
            return;
        if (FuseDevice.Unmount(options.Folder))
            LogUnmounted(logger, options.Folder);
        else
            LogStays(logger, options.Folder);
    }

    [LoggerMessage(1820, LogLevel.Information, "Servers get the mount of {Folder} at {Socket}.")]
    private static partial void LogListening(ILogger logger, string socket, string folder);

    [LoggerMessage(1821, LogLevel.Information, "A server has connected: {Folder} is mounted.")]
    private static partial void LogMounted(ILogger logger, string folder);

    [LoggerMessage(1822, LogLevel.Information, "The server has gone: {Folder} is unmounted.")]
    private static partial void LogUnmounted(ILogger logger, string folder);

    [LoggerMessage(1823, LogLevel.Warning, "{Folder} could not be unmounted: umount -l {Folder}")]
    private static partial void LogStays(ILogger logger, string folder);

    [LoggerMessage(1824, LogLevel.Error, "A server has connected, but there is no mount. {Reason}")]
    private static partial void LogFailed(ILogger logger, string reason);
}
