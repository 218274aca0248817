using Microsoft.Extensions.Logging;
using NzbDav.Mount.Protocol;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.Mount;

/// <summary>One mount of the tree, from mounting to unmounting. Thread-safe.</summary>
public sealed partial class MountServer : IAsyncDisposable
{
    /// <summary>Threads that take requests and answer those that need not wait.</summary>
    private static readonly int Threads = Math.Clamp(Environment.ProcessorCount, 2, 4);

    /// <summary>Where it is mounted; for logs alone if the helper mounted it.</summary>
    private readonly string _folder;
    private readonly HelperConnection? _helper;
    private readonly FuseConnection _connection;
    private readonly MountedTree _tree;
    private readonly MountChanges? _changes;
    private readonly ILogger _logger;
    private bool _isDisposed;

    private MountServer(int descriptor, string folder, HelperConnection? helper, IStore store, MountOptions options, MountContext context)
    {
        (_folder, _helper, _logger) = (folder, helper, context.Logger);
        _connection = new FuseConnection(descriptor, Threads);
        _tree = new MountedTree(_connection, store, options, context);
        _connection.Start(_tree.Arrive, _tree.Handle);
        _changes = store is IStoreChanges reported ? new MountChanges(_connection, _tree, reported, context) : null;
        Ended = helper is null ? _connection.Ended : Task.WhenAny(_connection.Ended, helper.Ended);
    }

    /// <summary>Completes when the mount has ended, also if somebody else unmounted it or the helper has gone.</summary>
    public Task Ended { get; }

    /// <summary>Mounts. A dead mount that an earlier process left at the folder is taken over.</summary>
    /// <param name="store">The tree. Its changes are followed if it reports them (<see cref="IStoreChanges"/>).</param>
    /// <param name="options">Where, and for whom.</param>
    /// <param name="time">Clock.</param>
    /// <param name="patience">How long a read waits for its next bytes before it fails with EIO.</param>
    /// <param name="streams">Tracks the streams; null: they are not tracked.</param>
    /// <param name="logger">Logs what failed.</param>
    /// <exception cref="MountException">It cannot be mounted; the message says why and what to do.</exception>
    public static MountServer Start(
        IStore store, MountOptions options, TimeProvider time, TimeSpan patience, ActiveStreams? streams, ILogger<MountServer> logger)
    {
        ArgumentNullException.ThrowIfNull(options);
        var folder = options.Path ?? "";
        var descriptor = MountFolder.Mount(folder, options.AllowsOthers, user: null, group: null, logger);
        var server = new MountServer(descriptor, folder, helper: null, store, options, new(time, patience, streams, logger));
        LogMounted(logger, folder);
        return server;
    }

    /// <summary>Has the helper mount. Waits while it serves another server.</summary>
    /// <inheritdoc cref="Start"/>
    public static async Task<MountServer> ConnectAsync(
        IStore store, MountOptions options, TimeProvider time, TimeSpan patience, ActiveStreams? streams, ILogger<MountServer> logger,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(options);
        var path = options.Socket ?? "";
        var helper = await HelperConnection.OpenAsync(path, time, logger, cancellationToken);
        var server = new MountServer(helper.Descriptor, path, helper, store, options, new(time, patience, streams, logger));
        LogHanded(logger, path);
        return server;
    }

    /// <summary>Unmounts. What is open in the mount fails with ENOTCONN.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, true))
            return;
        if (_helper is not null)
            await _helper.DisposeAsync();
        else if (!_connection.Ended.IsCompleted && !FuseDevice.Unmount(_folder))
            LogStays(_logger, _folder);
        if (_changes is not null)
            await _changes.DisposeAsync();
        _connection.Dispose();
        await _connection.Ended;
        await _tree.DisposeAsync();
    }

    /// <summary>Ends as the death of the process does: the mount stays, and fails with ENOTCONN.</summary>
    internal void Abandon() => _connection.Dispose();

    [LoggerMessage(1810, LogLevel.Information, "Mounted at {Folder}.")]
    private static partial void LogMounted(ILogger logger, string folder);

    [LoggerMessage(1813, LogLevel.Information, "Mounted by the helper at {Socket}.")]
    private static partial void LogHanded(ILogger logger, string socket);

    [LoggerMessage(1812, LogLevel.Warning, "{Folder} could not be unmounted: umount -l {Folder}")]
    private static partial void LogStays(ILogger logger, string folder);
}
