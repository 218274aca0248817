using System.ComponentModel;
using System.Diagnostics;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Faults;
using NzbDav.FullNzbTester.Processes;

namespace NzbDav.FullNzbTester.Mounts;

/// <summary>What shows the server's tree in a folder.</summary>
/// <param name="Name">Its column.</param>
/// <param name="CacheMode">rclone's <c>--vfs-cache-mode</c>; null: the server's own mount.</param>
internal sealed record MountSide(string Name, string? CacheMode)
{
    public const string Own = "mount";

    public static IReadOnlyList<MountSide> Of(MountsOptions options) =>
        [new(Own, null), .. options.CacheModes.Select(mode => new MountSide(mode == "off" ? "rclone" : $"rclone-{mode}", mode))];
}

/// <summary>A server that has just started, with its tree in a folder. Unmounts and ends everything when disposed.</summary>
internal sealed class MountedServer : IAsyncDisposable
{
    private const string Device = "/dev/fuse";

    /// <summary>How the server's log says that it cannot mount.</summary>
    private const string NoMount = "There is no mount.";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(20);

    /// <summary>
    /// What rclone's manual gives as fastest for a fast server: long-lived names, no buffers of its own, reads in parallel, and the largest
    /// read-ahead that the kernel grants. Flags that an rclone does not know are left out.
    /// </summary>
    private static readonly string[][] Flags =
    [
        ["--vfs-read-chunk-streams", "4"], ["--vfs-read-chunk-size", "8M"], ["--buffer-size", "0"], ["--max-read-ahead", "1M"],
        ["--dir-cache-time", "1000h"], ["--attr-timeout", "1000h"], ["--poll-interval", "0"], ["--links"], ["--no-checksum"],
        ["--read-only"], ["--vfs-fast-fingerprint"], ["--webdav-pacer-min-sleep", "0"],
    ];

    private readonly ChildProcess? _rclone;

    private MountedServer(ServerProcess server, ChildProcess? rclone, string folder) =>
        (Server, _rclone, Folder) = (server, rclone, folder);

    public ServerProcess Server { get; }

    /// <summary>Where the tree is.</summary>
    public string Folder { get; }

    /// <summary>CPU time of rclone so far; zero without it.</summary>
    public TimeSpan RcloneCpu => _rclone?.Cpu ?? TimeSpan.Zero;

    /// <summary>Why nothing can be mounted here; null: it can.</summary>
    public static string? Obstacle()
    {
        if (!OperatingSystem.IsLinux())
            return "a mount needs Linux.";
        try
        {
            using var device = File.OpenHandle(Device, FileMode.Open, FileAccess.ReadWrite);
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return $"{Device} cannot be opened: {e.Message}";
        }
    }

    /// <summary>Finds out which flags an rclone knows.</summary>
    /// <returns>Its version and the flags; or why it cannot be used.</returns>
    public static async Task<(string Version, IReadOnlyList<string> Flags, string? Obstacle)> AskRcloneAsync(
        string rclone, CancellationToken cancellationToken)
    {
        try
        {
            var version = await ToolRun.StartAsync(rclone, ["version"], cancellationToken);
            var mount = await ToolRun.StartAsync(rclone, ["mount", "--help"], cancellationToken);
            var all = await ToolRun.StartAsync(rclone, ["help", "flags"], cancellationToken);
            var known = $"{mount.Output}\n{all.Output}";
            return (version.Output.Split('\n')[0].Trim(),
                [.. Flags.Where(flag => known.Contains($"{flag[0]} ", StringComparison.Ordinal)).SelectMany(flag => flag)], null);
        }
        catch (Win32Exception e)
        {
            return ("", [], $"{rclone} cannot be started: {e.Message}");
        }
    }

    /// <summary>Starts a server and mounts its tree.</summary>
    /// <param name="side">What shows the tree.</param>
    /// <param name="rclone">rclone, and the flags that it knows.</param>
    /// <param name="home">The folder with the server's configuration; gets a folder for the mount.</param>
    /// <param name="settings">The server's settings.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="MountMissingException">The server cannot mount here.</exception>
    /// <exception cref="InvalidOperationException">rclone cannot, or nothing is mounted in time.</exception>
    public static async Task<MountedServer> StartAsync(MountSide side, (string Program, IReadOnlyList<string> Flags) rclone, string home,
        IReadOnlyDictionary<string, string> settings, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-mount-").FullName;
        ServerProcess? server = null;
        ChildProcess? client = null;
        try
        {
            var own = new Dictionary<string, string>(settings, StringComparer.Ordinal);
            if (side.CacheMode is null)
                own["NzbDav__Mount__Path"] = folder;
            server = await ServerProcess.StartAsync(Path.Combine(home, "config"), own, cancellationToken);
            if (side.CacheMode is { } mode)
                client = StartRclone(rclone.Program, [.. rclone.Flags, "--vfs-cache-mode", mode], server, folder, home);
            var mounted = new MountedServer(server, client, folder);
            await mounted.WaitAsync(cancellationToken);
            return mounted;
        }
        catch
        {
            await EndAsync(server, client, folder);
            throw;
        }
    }

    /// <summary>The path in the mount of a file in the server's tree.</summary>
    public string PathOf(DavTarget file) => PathOf(Uri.UnescapeDataString(Server.Root.MakeRelativeUri(file.Url).ToString()));

    public string PathOf(string relative) => Path.Combine(Folder, relative);

    public ValueTask DisposeAsync() => EndAsync(Server, _rclone, Folder);

    private static ChildProcess StartRclone(
        string program, IReadOnlyList<string> flags, ServerProcess server, string folder, string home)
    {
        // In the environment, so that no list of processes shows the password.
        var settings = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["RCLONE_CONFIG"] = Path.Combine(home, "rclone.conf"),
            ["RCLONE_CACHE_DIR"] = Path.Combine(folder + "-cache"),
            ["RCLONE_WEBDAV_URL"] = server.Root.AbsoluteUri,
            ["RCLONE_WEBDAV_VENDOR"] = "other",
            ["RCLONE_WEBDAV_HEADERS"] = $"Authorization,{server.Authorization}",
        };
        return ChildProcess.StartProgram(program, ["mount", ":webdav:", folder, .. flags], settings, static _ => { });
    }

    private static bool IsMounted(string folder) =>
        File.ReadLines("/proc/self/mountinfo").Any(line => line.Split(' ') is { Length: > 4 } words && words[4] == folder);

    private static async ValueTask EndAsync(ServerProcess? server, ChildProcess? rclone, string folder)
    {
        // rclone ends with its mount. A server would mount anew: it ends before its mount.
        if (rclone is not null)
        {
            await UnmountAsync(folder);
            await rclone.DisposeAsync();
        }

        if (server is not null)
            await server.DisposeAsync();
        await UnmountAsync(folder);
        if (!IsMounted(folder))
            Directory.Delete(folder);
        if (Directory.Exists(folder + "-cache"))
            Directory.Delete(folder + "-cache", recursive: true);
    }

    private static async Task UnmountAsync(string folder)
    {
        if (!IsMounted(folder))
            return;
        var (program, arguments) = Environment.IsPrivilegedProcess ? ("umount", "-l") : ("fusermount3", "-uz");
        var run = await ToolRun.StartAsync(program, [arguments, folder], CancellationToken.None);
        if (run.Code != 0)
            await Console.Error.WriteLineAsync($"{folder} stays mounted: {run.Complaint.Trim()}");
    }

    private async Task WaitAsync(CancellationToken cancellationToken)
    {
        var began = TimeProvider.System.GetTimestamp();
        while (!IsMounted(Folder))
        {
            if (ServerLog.Errors(Server.Said).FirstOrDefault(line => line.Contains(NoMount, StringComparison.Ordinal)) is { } reason)
                throw new MountMissingException(reason[reason.IndexOf(NoMount, StringComparison.Ordinal)..]);
            if (_rclone?.Ended is { } ended)
                throw new InvalidOperationException($"rclone does not mount: {ended}");
            if (TimeProvider.System.GetElapsedTime(began) > Patience)
            {
                throw new InvalidOperationException($"There is no mount after {Patience.TotalSeconds:0} s. "
                    + $"{string.Join('\n', ServerLog.Troubles(Server.Said))}{_rclone?.Said}");
            }

            await Task.Delay(Look, TimeProvider.System, cancellationToken);
        }
    }
}

/// <summary>The server cannot mount on this machine. The message says why.</summary>
internal sealed class MountMissingException(string message) : Exception(message);

/// <summary>A short program that has run.</summary>
/// <param name="Code">Its exit code.</param>
/// <param name="Output">Its standard output.</param>
/// <param name="Complaint">Its standard error.</param>
/// <param name="Took">From its start to its end.</param>
internal sealed record ToolRun(int Code, string Output, string Complaint, TimeSpan Took)
{
    /// <summary>Runs it to its end.</summary>
    /// <exception cref="Win32Exception">There is no such program.</exception>
    public static async Task<ToolRun> StartAsync(string program, IEnumerable<string> arguments, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo(program, arguments)
        { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        var began = TimeProvider.System.GetTimestamp();
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        await using var registration = cancellationToken.Register(() => process.Kill());
        var output = process.StandardOutput.ReadToEndAsync(cancellationToken);
        var complaint = process.StandardError.ReadToEndAsync(cancellationToken);
        await process.WaitForExitAsync(cancellationToken);
        return new(process.ExitCode, await output, await complaint, TimeProvider.System.GetElapsedTime(began));
    }
}
