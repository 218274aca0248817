using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace NzbDav.Mount.Protocol;

/// <summary>Mounts and unmounts: with mount(2) where the process may, otherwise through <c>fusermount3</c>, which is set-user-ID.</summary>
internal static unsafe class FuseDevice
{
    public const string Path = "/dev/fuse";

    private const string Type = "fuse.nzbdav";
    private const string Helper = "fusermount3";
    private const int UnixDomain = 1;
    private const int StreamSocket = 1;
    private const int SocketLevel = 1;
    private const int ScmRights = 1;

    /// <summary>Mounts a folder.</summary>
    /// <param name="folder">An absolute path of an existing folder.</param>
    /// <param name="allowsOthers">True: other users may use the mount.</param>
    /// <param name="user">The user whose mount it is; null: that of this process.</param>
    /// <param name="group">The group; null: that of this process.</param>
    /// <returns>The descriptor that serves the mount; owned by the caller.</returns>
    /// <exception cref="MountException">It could not be mounted; the message says why and what to do.</exception>
    public static int Mount(string folder, bool allowsOthers, uint? user = null, uint? group = null)
    {
        if (!File.Exists(Path))
            throw new MountException($"There is no {Path}: load the kernel's module fuse, or pass the device to the container.");
        var descriptor = LinuxCalls.Open(Path, LinuxCalls.OpenReadWrite | LinuxCalls.OpenCloseOnExec);
        if (descriptor < 0)
            throw new MountException($"{Path} cannot be opened: {LastError()}.");
        var (ownUser, ownGroup) = (user ?? LinuxCalls.EffectiveUser(), group ?? LinuxCalls.EffectiveGroup());
        var options = string.Create(CultureInfo.InvariantCulture,
            $"fd={descriptor},rootmode=40000,user_id={ownUser},group_id={ownGroup},max_read={MaxRead}")
            + (allowsOthers ? ",allow_other" : "");
        if (LinuxCalls.Mount("nzbdav", folder, Type, LinuxCalls.MountNoSetUser | LinuxCalls.MountNoDevices, options) == 0)
            return descriptor;
        var error = (LinuxError)Marshal.GetLastPInvokeError();
        var reason = LastError();
        LinuxCalls.Close(descriptor);
        if (error is LinuxError.NotPermitted or LinuxError.AccessDenied)
            return MountThroughHelper(folder, allowsOthers, reason);
        throw new MountException($"{folder} cannot be mounted: {reason}.");
    }

    /// <summary>Most bytes of one read.</summary>
    public const int MaxRead = 1 << 20;

    /// <summary>
    /// How far the kernel reads ahead. A program's read waits for the whole window that its last page lies in, so that with windows of
    /// 1 MiB a jump of 1 MiB waited for 2: 3 ms longer than over WebDAV on a line of 50 ± 10 ms. With 256 KiB it is about one, and
    /// reading in sequence is as fast: the files themselves read further ahead.
    /// </summary>
    public const int ReadAhead = 256 << 10;

    /// <summary>Ends a mount. What is open in it fails with ENOTCONN from then on.</summary>
    /// <returns>False if it could not be ended.</returns>
    public static bool Unmount(string folder) =>
        LinuxCalls.Unmount(folder, LinuxCalls.UnmountDetach) == 0 || RunHelper(["-u", "-z", "-q", "--", folder], socket: -1) == 0;

    /// <summary>
    /// True for a mount whose server is gone. It is opened: access(2) and stat(2) the kernel may answer without the server.
    /// </summary>
    public static bool IsDead(string folder)
    {
        var descriptor = LinuxCalls.Open(folder, LinuxCalls.OpenCloseOnExec);
        if (descriptor < 0)
            return (LinuxError)Marshal.GetLastPInvokeError() == LinuxError.NotConnected;
        LinuxCalls.Close(descriptor);
        return false;
    }

    /// <summary>
    /// True if what is mounted at the folder, uppermost, is a mount of this program. The folder is named without symbolic links.
    /// </summary>
    public static bool IsMounted(string folder) => LineOf(folder)?.Contains($" - {Type} ", StringComparison.Ordinal) == true;

    /// <summary>
    /// Lets the kernel read ahead by more than its 128 KiB: fewer and longer requests. Only root of the machine may; otherwise nothing
    /// changes.
    /// </summary>
    /// <param name="folder">The mount.</param>
    /// <param name="bytes">How far.</param>
    public static void SetReadAhead(string folder, int bytes)
    {
        try
        {
            if (LineOf(folder)?.Split(' ') is [_, _, var device, ..])
                File.WriteAllText($"/sys/class/bdi/{device}/read_ahead_kb", (bytes >> 10).ToString(CultureInfo.InvariantCulture));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
        }
    }

    /// <summary>The line of a mount in /proc/self/mountinfo; null: the folder is none.</summary>
    private static string? LineOf(string folder)
    {
        // proc_pid_mountinfo(5): "36 35 98:0 /root /mount-point options - type source options", with blanks in octal.
        var point = folder.Replace("\\", "\\134", StringComparison.Ordinal).Replace(" ", "\\040", StringComparison.Ordinal)
            .Replace("\t", "\\011", StringComparison.Ordinal).Replace("\n", "\\012", StringComparison.Ordinal);
        return File.ReadLines("/proc/self/mountinfo").LastOrDefault(line => line.Split(' ') is [_, _, _, _, var at, ..] && at == point);
    }

    /// <summary>Receives a descriptor that was sent over a Unix socket (SCM_RIGHTS, unix(7)).</summary>
    /// <returns>The descriptor; negative: the other side closed the socket without sending one.</returns>
    public static int ReceiveDescriptor(int socket)
    {
        byte data = 0;
        var chunk = new LinuxCalls.Chunk { Start = &data, Length = 1 };

        // struct cmsghdr (length, level, type) and one int, aligned to 8 bytes.
        var control = stackalloc long[3];
        var message = new LinuxCalls.Message { Chunks = &chunk, ChunkCount = 1, Control = control, ControlLength = 24 };
        nint received;
        do
            received = LinuxCalls.ReceiveMessage(socket, &message, LinuxCalls.ReceiveCloseOnExec);
        while (received < 0 && (LinuxError)Marshal.GetLastPInvokeError() == LinuxError.Interrupted);
        var fields = (int*)control;
        return received > 0 && message.ControlLength >= 20 && fields[2] == SocketLevel && fields[3] == ScmRights ? fields[4] : -1;
    }

    /// <summary>Sends a descriptor over a Unix socket.</summary>
    /// <returns>False if the other side is gone.</returns>
    public static bool SendDescriptor(int socket, int descriptor)
    {
        byte data = 0;
        var chunk = new LinuxCalls.Chunk { Start = &data, Length = 1 };
        var control = stackalloc long[3];
        control[0] = 20;
        var fields = (int*)control;
        (fields[2], fields[3], fields[4]) = (SocketLevel, ScmRights, descriptor);
        var message = new LinuxCalls.Message { Chunks = &chunk, ChunkCount = 1, Control = control, ControlLength = 24 };
        return LinuxCalls.SendMessage(socket, &message, flags: 0) > 0;
    }

    /// <summary>
    /// fusermount3 opens the device, mounts, and sends the descriptor over the socket that _FUSE_COMMFD names (libfuse, mount.c).
    /// </summary>
    private static int MountThroughHelper(string folder, bool allowsOthers, string reason)
    {
        var sockets = stackalloc int[2];
        if (LinuxCalls.SocketPair(UnixDomain, StreamSocket, protocol: 0, sockets) != 0)
            throw new MountException($"{folder} cannot be mounted: {LastError()}.");
        try
        {
            var options = string.Create(CultureInfo.InvariantCulture, $"fsname=nzbdav,subtype=nzbdav,nosuid,nodev,max_read={MaxRead}")
                + (allowsOthers ? ",allow_other" : "");
            var code = RunHelper(["-o", options, "--", folder], sockets[0], out var said);
            LinuxCalls.Close(sockets[0]);
            sockets[0] = -1;
            if (code == 0 && ReceiveDescriptor(sockets[1]) is var descriptor and >= 0)
                return descriptor;
            throw new MountException(code is null
                ? $"{folder} cannot be mounted ({reason}), and {Helper} is not installed. Install fuse3, or give the container SYS_ADMIN."
                : said.Contains("determine username", StringComparison.Ordinal)
                ? $"{folder} cannot be mounted: {Helper} needs a name for user {LinuxCalls.EffectiveUser()}. Add the user to /etc/passwd, " +
                    "or run as another."
                : $"{folder} cannot be mounted: {(said.Length > 0 ? said : reason)}.");
        }
        finally
        {
            if (sockets[0] >= 0)
                LinuxCalls.Close(sockets[0]);
            LinuxCalls.Close(sockets[1]);
        }
    }

    private static int? RunHelper(string[] arguments, int socket) => RunHelper(arguments, socket, out _);

    private static int? RunHelper(string[] arguments, int socket, out string said)
    {
        said = "";
        var start = new ProcessStartInfo(Helper, arguments)
        { UseShellExecute = false, RedirectStandardError = true, RedirectStandardOutput = true };
        if (socket >= 0)
            start.Environment["_FUSE_COMMFD"] = socket.ToString(CultureInfo.InvariantCulture);
        try
        {
            using var process = Process.Start(start)!;
            var text = new StringBuilder();
            process.OutputDataReceived += static (_, _) => { };
            process.ErrorDataReceived += (_, line) => text.Append(line.Data).Append(' ');
            process.BeginOutputReadLine();
            process.BeginErrorReadLine();
            process.WaitForExit();
            said = text.ToString().Trim().TrimEnd('.');
            return process.ExitCode;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }

    private static string LastError() => Marshal.GetLastPInvokeErrorMessage();
}

/// <summary>A folder that cannot be mounted. The message says why, and what to do.</summary>
public sealed class MountException(string message) : Exception(message);
