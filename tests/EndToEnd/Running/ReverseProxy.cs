using System.ComponentModel;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using NzbDav.Fakes;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A real reverse proxy on loopback with the configuration from the documentation. Stops on disposal.</summary>
internal sealed class ReverseProxy : IAsyncDisposable
{
    private readonly Process _process;
    private readonly Folder _folder;
    private readonly Task<string> _errors;

    private ReverseProxy(Process process, Folder folder, int port)
    {
        _process = process;
        _folder = folder;
        _errors = process.StandardError.ReadToEndAsync();
        Root = $"http://127.0.0.1:{port}";
    }

    /// <summary>The address it listens on.</summary>
    public string Root { get; }

    /// <param name="name">nginx or caddy: the program, and the language of its sample in the documentation.</param>
    /// <param name="server">The server behind it.</param>
    /// <remarks>Skips the test if it is not installed.</remarks>
    public static async Task<ReverseProxy> StartAsync(string name, string server)
    {
        var sample = await SampleAsync(name);
        return await StartAsync(name, (folder, port) => name == "nginx"
            ? Nginx(Replaced(sample, "http://127.0.0.1:8080;", server + ";"), port, folder) : Caddy(sample, server, port));
    }

    /// <summary>nginx in front of three gateways, as docker/scale/nginx.conf has it.</summary>
    /// <param name="ports">Where the gateways listen.</param>
    /// <inheritdoc cref="StartAsync(string, string)"/>
    public static async Task<ReverseProxy> StartScaleAsync(IReadOnlyList<int> ports)
    {
        var sample = await File.ReadAllTextAsync(Path.Combine(AppContext.BaseDirectory, "scale-nginx.conf"));
        for (var i = 0; i < ports.Count; i++)
            sample = Replaced(sample, $"gateway{i + 1}:8080", $"127.0.0.1:{ports[i]}");
        return await StartAsync("nginx", (folder, port) => Nginx(sample, port, folder));
    }

    /// <summary>nginx as nginx Proxy Manager configures it for a new host: <c>Host</c> without the port, and buffers.</summary>
    /// <inheritdoc cref="StartAsync(string, string)"/>
    public static Task<ReverseProxy> StartProxyManagerAsync(string server) => StartAsync("nginx", (folder, port) => Nginx(
        $$"""
        server {
            listen 80;
            server_name _;
            set $forward_scheme http;
            set $server 127.0.0.1;
            set $port {{new Uri(server).Port}};
            client_max_body_size 2000m;
            location / {
                add_header X-Served-By $host;
                proxy_set_header Host $host;
                proxy_set_header X-Forwarded-Scheme $scheme;
                proxy_set_header X-Forwarded-Proto $scheme;
                proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                proxy_set_header X-Real-IP $remote_addr;
                proxy_pass $forward_scheme://$server:$port$request_uri;
            }
        }

        """,
        port, folder));

    private static async Task<ReverseProxy> StartAsync(string name, Func<Folder, int, (string Configuration, string[] Arguments)> configure)
    {
        var folder = new Folder();
        var port = LoopbackPort.Free();
        var (configuration, arguments) = configure(folder, port);
        var start = new ProcessStartInfo(
            name, [.. arguments, folder.Write("configuration", System.Text.Encoding.UTF8.GetBytes(configuration))])
        {
            UseShellExecute = false,
            RedirectStandardError = true,
        };
        start.Environment["PATH"] += ":/usr/sbin:/sbin";
        start.Environment["HOME"] = start.Environment["XDG_CONFIG_HOME"] = start.Environment["XDG_DATA_HOME"] = folder.Path;
        try
        {
            var proxy = new ReverseProxy(Process.Start(start)!, folder, port);
            await proxy.ListeningAsync(port);
            return proxy;
        }
        catch (Win32Exception)
        {
            folder.Dispose();
            Needs.Skip($"{name} is not installed.");
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            _process.Kill();
        await _process.WaitForExitAsync();
        await _errors;
        _process.Dispose();
        _folder.Dispose();
    }

    private static (string Configuration, string[] Arguments) Nginx(string sample, int port, Folder folder)
    {
        sample = Replaced(sample, "listen 80;", $"listen 127.0.0.1:{port};");
        var temporary = string.Concat(
            ((string[])["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]).Select(kind => $"{kind}_temp_path {folder.Path}/{kind};\n"));
        return (
            $"daemon off;\nmaster_process off;\npid {folder.Path}/nginx.pid;\nerror_log stderr warn;\nevents {{ }}\nhttp {{\naccess_log " +
            $"off;\n{temporary}{sample}}}\n",
            ["-p", folder.Path, "-e", "stderr", "-c"]);
    }

    private static (string Configuration, string[] Arguments) Caddy(string sample, string server, int port)
    {
        sample = Replaced(sample, "films.example.com {", $"http://127.0.0.1:{port} {{\n\tbind 127.0.0.1");
        return ("{\n\tadmin off\n}\n" + Replaced(sample, "127.0.0.1:8080", new Uri(server).Authority),
            ["run", "--adapter", "caddyfile", "--config"]);
    }

    private static async Task<string> SampleAsync(string language)
    {
        var documentation = await File.ReadAllTextAsync(Path.Combine(AppContext.BaseDirectory, "reverse-proxy.md"));
        var sample = Regex.Match(documentation, $"```{language}\n(.*?)```", RegexOptions.Singleline);
        Assert.True(sample.Success, $"There is no sample for {language}.");
        return sample.Groups[1].Value;
    }

    private static string Replaced(string sample, string what, string by)
    {
        Assert.Contains(what, sample, StringComparison.Ordinal);
        return sample.Replace(what, by, StringComparison.Ordinal);
    }

    private Task ListeningAsync(int port) => Deadline.UntilAsync(
        async () =>
        {
            Assert.False(_process.HasExited, _process.HasExited ? await _errors : "");
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
        "the proxy listens");
}
