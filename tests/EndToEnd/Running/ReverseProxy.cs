using System.ComponentModel;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A real nginx on loopback with the configuration that the documentation shows. Ends with its disposal.</summary>
internal sealed partial class Nginx : IAsyncDisposable
{
    private readonly Process _process;
    private readonly Folder _folder;

    private Nginx(Process process, Folder folder, string root)
    {
        _process = process;
        _folder = folder;
        Root = root;
    }

    /// <summary>Where it listens.</summary>
    public string Root { get; }

    /// <param name="server">What it stands before.</param>
    /// <returns>Null if it is not installed, which is a failure in CI.</returns>
    public static async Task<Nginx?> StartAsync(string server)
    {
        var folder = new Folder();
        var port = FreePort();
        var sample = Sample().Match(await File.ReadAllTextAsync(Path.Combine(AppContext.BaseDirectory, "reverse-proxy.md"))).Groups[1].Value;
        Assert.Contains("listen 80;", sample, StringComparison.Ordinal);
        Assert.Contains("http://127.0.0.1:8080;", sample, StringComparison.Ordinal);
        sample = sample.Replace("listen 80;", $"listen 127.0.0.1:{port};", StringComparison.Ordinal).Replace("http://127.0.0.1:8080;", server + ";", StringComparison.Ordinal);
        var temporary = string.Concat(((string[])["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]).Select(kind => $"{kind}_temp_path {folder.Path}/{kind};\n"));
        var configuration = folder.Write("nginx.conf", System.Text.Encoding.UTF8.GetBytes(
            $"daemon off;\nmaster_process off;\npid {folder.Path}/nginx.pid;\nerror_log stderr warn;\nevents {{ }}\nhttp {{\naccess_log off;\n{temporary}{sample}}}\n"));
        var start = new ProcessStartInfo("nginx", ["-c", configuration, "-p", folder.Path, "-e", "stderr"]) { UseShellExecute = false, RedirectStandardError = true };
        start.Environment["PATH"] += ":/usr/sbin:/sbin";
        try
        {
            var nginx = new Nginx(Process.Start(start)!, folder, $"http://127.0.0.1:{port}");
            await nginx.ListeningAsync(port);
            return nginx;
        }
        catch (Win32Exception)
        {
            folder.Dispose();
            Assert.False(Environment.GetEnvironmentVariables().Contains("NZBDAV_CI"), "nginx is not installed.");
            return null;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
        _folder.Dispose();
    }

    private Task ListeningAsync(int port) => Deadline.UntilAsync(
        async () =>
        {
            Assert.False(_process.HasExited, _process.HasExited ? await _process.StandardError.ReadToEndAsync() : "");
            using var probe = new TcpClient();
            try
            {
                await probe.ConnectAsync(IPAddress.Loopback, port);
                return true;
            }
            catch (SocketException)
            {
                return false;
            }
        },
        "nginx listens");

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    [GeneratedRegex("```nginx\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Sample();
}
