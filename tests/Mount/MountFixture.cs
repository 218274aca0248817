using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Mount.Protocol;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.Mount.Tests;

/// <summary>A tree in memory, mounted by the kernel of this machine. Skips the test where that cannot be.</summary>
internal sealed class MountFixture : IAsyncDisposable
{
    /// <summary>How long a read waits on <see cref="Clock"/>.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly TemporaryFolder _folder = new();
    private readonly ILoggerFactory _logs;
    private MountServer? _server;

    /// <param name="prepare">Fills the tree before it is mounted.</param>
    public MountFixture(Action<StubCollection>? prepare = null)
    {
        _logs = LoggerFactory.Create(logs => logs.AddProvider(Log));
        Directory.CreateDirectory(Place);
        prepare?.Invoke(Tree.Root);
        Streams = new ActiveStreams(Clock);
        Mount();
    }

    public ManualTimeProvider Clock { get; } = new();

    /// <summary>What it logs.</summary>
    public StubLog Log { get; } = new();

    public ChangingStore Tree { get; } = new();

    public ActiveStreams Streams { get; }

    /// <summary>Where it is mounted.</summary>
    public string Place => _folder.At("mount");

    public MountServer Server => _server!;

    /// <summary>A path in the mount.</summary>
    public string At(params ReadOnlySpan<string> names) => Path.Combine([Place, .. names]);

    public void Mount()
    {
        try
        {
            _server = MountServer.Start(
                Tree, new MountOptions { Path = Place, AllowsOthers = false }, Clock, Patience, Streams, _logs.CreateLogger<MountServer>());
        }
        catch (MountException e) when (!CanMount)
        {
            _folder.Dispose();
            Needs.Skip($"Nothing can be mounted here, so the mount is not tested. {e.Message}");
        }
    }

    /// <summary>Ends the mount as the death of its process does: the mount stays, dead.</summary>
    public async Task KillAsync()
    {
        Server.Abandon();
        await Server.Ended;
    }

    public async ValueTask DisposeAsync()
    {
        await Server.DisposeAsync();
        Streams.Dispose();
        _logs.Dispose();
        _folder.Dispose();
    }

    /// <summary>True where a mount is possible: a failure there is a failure of the code.</summary>
    public static bool CanMount { get; } = TryMount();

    private static bool TryMount()
    {
        using var folder = new TemporaryFolder();
        try
        {
            var descriptor = FuseDevice.Mount(folder.Path, allowsOthers: false, user: null, group: null);
            FuseDevice.Unmount(folder.Path);
            LinuxCalls.Close(descriptor);
            return true;
        }
        catch (MountException)
        {
            return false;
        }
    }
}

/// <summary>A tree in memory that reports its changes.</summary>
internal sealed class ChangingStore : IStore, IStoreChanges
{
    private readonly StubStore _inner = new();

    public StubCollection Root => _inner.Root;

    public event Action<IReadOnlyCollection<long>?>? ChildrenChanged;

    /// <summary>Thrown by every lookup; null: none.</summary>
    public Exception? Fault { get; set; }

    public bool MayHoldJunk(StorePath path) => _inner.MayHoldJunk(path);

    public bool MayListDeep(StorePath path) => _inner.MayListDeep(path);

    public ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken) =>
        Fault is { } fault ? ValueTask.FromException<IStoreItem?>(fault) : _inner.GetItemAsync(path, cancellationToken);

    public ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken) =>
        _inner.GetParentForWriteAsync(path, cancellationToken);

    /// <summary>Reports changes in folders; without folders, in any.</summary>
    public void Report(params long[] folders) => ChildrenChanged?.Invoke(folders.Length > 0 ? folders : null);
}

/// <summary>A link of the tree.</summary>
internal sealed class StubLink(string name, string target) : IStoreLink
{
    private readonly StubContent _content = new(target.Length) { Bytes = System.Text.Encoding.UTF8.GetBytes(target) };

    public string Name { get; } = name + IStoreLink.Suffix;

    public DateTimeOffset CreatedAt => DateTimeOffset.UnixEpoch;

    public DateTimeOffset ModifiedAt => DateTimeOffset.UnixEpoch;

    public string ETag => "\"link\"";

    public long Length => _content.Length;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) => ValueTask.FromResult(StoreOpenResult.Of(_content));
}
