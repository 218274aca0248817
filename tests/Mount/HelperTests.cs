using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.Fakes;
using NzbDav.Mount.Protocol;

namespace NzbDav.Mount.Tests;

/// <summary>The helper and the server that it mounts for, joined by a real socket and the kernel of this machine.</summary>
public sealed class HelperTests : IAsyncDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly ChangingStore _tree = new();
    private Task _helper = Task.CompletedTask;

    public HelperTests() => _tree.Root.Add(new StubCollection("content"));

    private string Place => _folder.At("mount");

    private string Door => _folder.At("socket");

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _helper;
        _stop.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task Each_server_gets_a_mount_that_ends_with_it()
    {
        StartHelper();
        for (var i = 0; i < 2; i++)
        {
            await using (await ConnectAsync())
                Assert.Equal(["content"], Names());
            Assert.Empty(Names());
        }
    }

    [Fact]
    public async Task A_second_server_waits_until_the_first_has_gone()
    {
        StartHelper();
        var first = await ConnectAsync();
        var second = ConnectAsync();
        Assert.False(second.IsCompleted);
        await first.DisposeAsync();
        await using (await second)
            Assert.Equal(["content"], Names());
    }

    [Fact]
    public async Task A_server_learns_that_somebody_unmounted_it_and_gets_another()
    {
        StartHelper();
        await using (var server = await ConnectAsync())
        {
            Assert.True(FuseDevice.Unmount(Place));
            await server.Ended.WaitAsync(TestContext.Current.CancellationToken);
        }

        await using (await ConnectAsync())
            Assert.Equal(["content"], Names());
    }

    [Fact]
    public async Task A_server_learns_that_the_helper_has_gone()
    {
        StartHelper();
        await using var server = await ConnectAsync();
        await _stop.CancelAsync();
        await server.Ended.WaitAsync(TestContext.Current.CancellationToken);
        await _helper;
        Assert.Empty(Names());
        Assert.False(File.Exists(Door));
    }

    [Fact]
    public async Task A_folder_that_is_not_empty_is_left_alone()
    {
        Directory.CreateDirectory(Path.Combine(Place, "of others"));
        StartHelper();
        var failure = await Assert.ThrowsAsync<MountException>(ConnectAsync);
        Assert.Contains("has not mounted", failure.Message, StringComparison.Ordinal);
        Assert.Equal(["of others"], Names());
    }

    [Fact]
    public async Task The_mount_of_another_server_is_left_alone()
    {
        StartHelper();
        await using var other = MountServer.Start(
            _tree, new MountOptions { Path = Place, AllowsOthers = false }, TimeProvider.System, MountFixture.Patience, streams: null,
            NullLogger<MountServer>.Instance);
        await Assert.ThrowsAsync<MountException>(ConnectAsync);
        Assert.Equal(["content"], Names());
    }

    [Fact]
    public async Task A_folder_behind_a_symbolic_link_is_refused()
    {
        Directory.CreateDirectory(_folder.At("elsewhere"));
        Directory.CreateSymbolicLink(Place, _folder.At("elsewhere"));
        StartHelper();
        await Assert.ThrowsAsync<MountException>(ConnectAsync);
        Assert.Empty(Names());
    }

    [Fact]
    public async Task Without_a_helper_the_failure_says_how_to_start_one()
    {
        var failure = await Assert.ThrowsAsync<MountException>(ConnectAsync);
        Assert.Contains("nzbdav mount-helper --socket " + Door, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_a_server_sends_ends_its_mount()
    {
        StartHelper();
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await socket.ConnectAsync(new UnixDomainSocketEndPoint(Door), TestContext.Current.CancellationToken);
        await socket.ReceiveAsync(Memory<byte>.Empty, TestContext.Current.CancellationToken);
        var descriptor = FuseDevice.ReceiveDescriptor((int)socket.SafeHandle.DangerousGetHandle());
        Assert.InRange(descriptor, 0, int.MaxValue);
        LinuxCalls.Close(descriptor);
        await socket.SendAsync("anything"u8.ToArray(), TestContext.Current.CancellationToken);
        Assert.Equal(0, await EndAsync(socket));
        Assert.False(FuseDevice.IsMounted(Place));
    }

    private static async Task<int> EndAsync(Socket socket)
    {
        try
        {
            return await socket.ReceiveAsync(new byte[1], TestContext.Current.CancellationToken);
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
        {
            // It had more to read.
            return 0;
        }
    }

    /// <summary>Listens when this returns.</summary>
    private void StartHelper()
    {
        if (!MountFixture.CanMount)
            Needs.Skip("Nothing can be mounted here, so the mount is not tested.");
        _helper = new MountHelper(new() { Folder = Place, Socket = Door, AllowsOthers = false }, NullLogger.Instance).RunAsync(_stop.Token);
    }

    private Task<MountServer> ConnectAsync() => MountServer.ConnectAsync(
        _tree, new MountOptions { Socket = Door }, TimeProvider.System, MountFixture.Patience, streams: null,
        NullLogger<MountServer>.Instance, TestContext.Current.CancellationToken);

    private string[] Names() => [.. Directory.EnumerateFileSystemEntries(Place).Select(static path => Path.GetFileName(path))];
}
