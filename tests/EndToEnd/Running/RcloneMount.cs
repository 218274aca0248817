using System.Diagnostics;
using System.Globalization;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>The tree as a media server sees it: through a real rclone mount, which is unmounted on disposal.</summary>
internal sealed class RcloneMount : IAsyncDisposable
{
    private readonly Folder _folder = new();
    private Process? _process;

    private string Place => Path.Combine(_folder.Path, "mount");

    /// <param name="url">URL of the WebDAV root.</param>
    /// <param name="user">WebDAV user.</param>
    /// <param name="password">WebDAV password.</param>
    /// <param name="cacheMode">A value of <c>--vfs-cache-mode</c>.</param>
    /// <remarks>Without rclone's own read-ahead of 16 MiB, as docs/clients.md recommends.</remarks>
    public static async Task<RcloneMount> StartAsync(string url, string user, string password, string cacheMode)
    {
        var mount = new RcloneMount();
        Directory.CreateDirectory(mount.Place);
        using var obscure = Start(["obscure", password], null);
        var hidden = (await obscure.StandardOutput.ReadToEndAsync(Deadline.Token)).Trim();
        mount._process = Start(
            ["mount", ":webdav:", mount.Place, "--webdav-url", url, "--webdav-vendor", "other", "--webdav-user", user, "--cache-dir",
                Path.Combine(mount._folder.Path, "cache"), "--vfs-cache-mode", cacheMode, "--buffer-size", "0"],
            hidden);
        await Deadline.UntilAsync(() => Directory.Exists(Path.Combine(mount.Place, "content")), "the tree is mounted");
        return mount;
    }

    /// <summary>The path in the mount of a file on the server.</summary>
    /// <param name="path">With the leading <c>/dav</c>, URL-encoded.</param>
    public string PathOf(string path) => Place + Uri.UnescapeDataString(path["/dav".Length..]);

    public async ValueTask DisposeAsync()
    {
        using var unmount = Process.Start(new ProcessStartInfo("fusermount3", ["-uz", Place]) { UseShellExecute = false })!;
        await unmount.WaitForExitAsync();
        if (_process is { } process)
        {
            await process.WaitForExitAsync(Deadline.Token);
            process.Dispose();
        }

        _folder.Dispose();
    }

    private static Process Start(string[] arguments, string? password)
    {
        var start = new ProcessStartInfo("rclone", arguments) { UseShellExecute = false, RedirectStandardOutput = true };
        start.Environment["RCLONE_CONFIG"] = "/dev/null";
        start.Environment["RCLONE_WEBDAV_PASS"] = password;
        return Process.Start(start)
            ?? throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"rclone {arguments[0]} does not start."));
    }
}
