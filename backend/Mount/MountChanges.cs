using System.Text;
using System.Threading.Channels;
using NzbDav.Mount.Protocol;
using NzbDav.WebDav.Store;

namespace NzbDav.Mount;

/// <summary>
/// Takes what has changed out of the kernel's cache: names that lead to nothing or to another item, and attributes. Works on a task of
/// its own: the kernel may hold a folder's lock while it waits for an answer about it.
/// </summary>
internal sealed class MountChanges : IAsyncDisposable
{
    /// <summary>Pause before what failed is tried again: the database may be away.</summary>
    private static readonly TimeSpan Retry = TimeSpan.FromSeconds(1);

    private readonly FuseConnection _connection;
    private readonly MountedTree _tree;
    private readonly IStoreChanges _changes;
    private readonly MountContext _context;
    private readonly CancellationTokenSource _stopping = new();
    private readonly Task _work;

    /// <summary>Unbounded: it holds ids alone, one for each change.</summary>
    private readonly Channel<IReadOnlyCollection<long>?> _reported =
        Channel.CreateUnbounded<IReadOnlyCollection<long>?>(new UnboundedChannelOptions { SingleReader = true });

    public MountChanges(FuseConnection connection, MountedTree tree, IStoreChanges changes, MountContext context)
    {
        (_connection, _tree, _changes, _context) = (connection, tree, changes, context);
        changes.ChildrenChanged += OnChanged;
        tree.Raced = folder => OnChanged(folder.Item is IStoreCollection { Id: { } id } ? [id] : null);
        _work = Task.Run(WorkAsync);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _changes.ChildrenChanged -= OnChanged;
        _reported.Writer.TryComplete();
        await _stopping.CancelAsync();
        await _work;
        _stopping.Dispose();
    }

    private void OnChanged(IReadOnlyCollection<long>? folders) => _reported.Writer.TryWrite(folders);

    private async Task WorkAsync()
    {
        while (await _reported.Reader.WaitToReadAsync())
        {
            // All that came meanwhile at once: an import changes one folder many times.
            var folders = new HashSet<long>();
            var isAny = false;
            while (_reported.Reader.TryRead(out var reported))
            {
                isAny |= reported is null;
                folders.UnionWith(reported ?? []);
            }

            try
            {
                Node[] changed =
                [
                    .. _tree.Nodes.Folders()
                        .Where(folder => isAny || (folder.Item is IStoreCollection { Id: { } id } && folders.Contains(id))),
                ];
                foreach (var folder in changed)
                    _tree.Outdate(folder);
                foreach (var folder in changed)
                    await RenewAsync(folder);
            }
            catch (Exception e)
            {
                // The kernel would keep the rest for an hour.
                _context.Faulted(e);
                await Task.Delay(Retry, _context.Time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                OnChanged(isAny ? null : folders);
            }
        }
    }

    private async ValueTask RenewAsync(Node folder)
    {
        foreach (var child in _tree.Nodes.ChildrenOf(folder))
        {
            var before = child.Item;
            if (await _tree.FindAsync(child) is not { } item)
                _connection.Invalidate(folder.Id, Encoding.UTF8.GetBytes(child.Name));
            else if (before is null || item.ModifiedAt != before.ModifiedAt || item.ETag != before.ETag)
                _connection.Invalidate(child.Id);
        }

        _connection.Invalidate(folder.Id);
    }
}
