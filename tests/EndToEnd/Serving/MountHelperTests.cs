using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;
using NzbDav.Mount;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>The mount that a helper makes. Containers try the same with real rights: tests/Conformance/containers/ownmount.sh.</summary>
public sealed class MountHelperTests
{
    public const string WhyNot = "Mounting needs root and /dev/fuse.";

    public static bool CanMount => OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess && File.Exists("/dev/fuse");

    [Fact]
    public async Task A_helper_mounts_for_each_server_and_unmounts_when_it_goes()
    {
        Assert.SkipUnless(CanMount, WhyNot);
        using var place = new Folder();
        var (socket, tree) = (Path.Combine(place.Path, "socket"), Path.Combine(place.Path, "tree"));
        using var stop = new CancellationTokenSource();
        var helper = new MountHelper(new() { Folder = tree, Socket = socket }, NullLogger.Instance).RunAsync(stop.Token);
        await using var news = new NewsServers();
        for (var server = 0; server < 2; server++)
        {
            await using (var gateway = await StartAsync(news, socket))
                await Deadline.UntilAsync(() => Directory.Exists(Path.Combine(tree, "content")), "the tree is mounted");
            await Deadline.UntilAsync(() => Directory.Exists(tree) && !Directory.Exists(Path.Combine(tree, "content")), "it is unmounted");
        }

        await stop.CancelAsync();
        await helper;
        Assert.False(File.Exists(socket));
    }

    [Fact]
    public async Task Without_a_helper_the_server_runs_and_knows_why_there_is_no_mount()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "A mount needs Linux.");
        using var place = new Folder();
        var socket = Path.Combine(place.Path, "socket");
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news, socket);
        var keeper = gateway.Services.GetRequiredService<MountKeeper>();
        await Deadline.UntilAsync(() => keeper.Failure?.StartsWith("There is no mount helper", StringComparison.Ordinal) == true, "why");
        using var client = OperatorClient.Of(gateway);
        foreach (var path in (string[])["/api/v1/play", "/api/v1/status"])
        {
            var mount = (await client.AskAsync("GET", path)).Body.GetProperty("mount");
            Assert.Equal("/mnt/nzbdav", mount.GetProperty("path").GetString());
            Assert.StartsWith("There is no mount helper", mount.GetProperty("reason").GetString(), StringComparison.Ordinal);
        }

        // One that cannot mount closes the connection.
        using var helper = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        helper.Bind(new UnixDomainSocketEndPoint(socket));
        helper.Listen();
        (await helper.AcceptAsync(Deadline.Token)).Dispose();
        await Deadline.UntilAsync(() => keeper.Failure?.Contains("has not mounted", StringComparison.Ordinal) == true, "why");
    }

    private static Task<Gateway> StartAsync(NewsServers news, string socket) =>
        Gateway.StartAsync(news, change: settings => settings with { Mount = new() { Socket = socket } });
}
