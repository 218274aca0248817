using NzbDav.Api.Native.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Api.Native.Events;

/// <summary>Reports the collections of the tree in which an item was added, removed or renamed.</summary>
internal sealed class FilesTopic : IEventTopic
{
    private const int Most = 100;

    private readonly ChangeSet _parents = new(Most);

    public FilesTopic(TreeStore tree)
    {
        tree.ChildrenChanged += parents =>
        {
            _parents.Add(parents);
            Changed?.Invoke();
        };
        tree.NoticesLost += () =>
        {
            _parents.AddAll();
            Changed?.Invoke();
        };
    }

    public event Action? Changed;

    public string Name => "files";

    public Type DataType => typeof(FilesEventBody);

    public bool IsWhole => false;

    public TimeSpan Pace => TimeSpan.FromMilliseconds(500);

    public void Begin() => _parents.Drain();

    public ValueTask<object?> NextAsync(CancellationToken cancellationToken)
    {
        var parents = _parents.Drain();
        return ValueTask.FromResult<object?>(
            parents is { Count: 0 } ? null : new FilesEventBody([.. (parents ?? []).Select(JobView.Text)]));
    }
}

/// <summary>Data of the event "files".</summary>
/// <param name="Parents">Ids of the collections whose children changed; empty: any of them may have changed.</param>
internal sealed record FilesEventBody(IReadOnlyList<string> Parents);
