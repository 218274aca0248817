using System.Collections.Concurrent;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests.Stubs;

internal sealed class StubCollection(string name) : IStoreCollection
{
    private readonly ConcurrentDictionary<string, IStoreItem> _children = new(StringComparer.Ordinal);
    private static int _version;
    private int _yielded;
    private int _listed;

    public string Name { get; } = name;

    public DateTimeOffset CreatedAt { get; init; } = new(2023, 1, 2, 3, 4, 5, TimeSpan.Zero);

    public DateTimeOffset ModifiedAt { get; init; } = new(2023, 6, 7, 8, 9, 10, TimeSpan.Zero);

    public string ETag { get; } = "\"folder-1\"";

    public bool ReadOnly { get; init; }

    public StoreKeeping Keeping { get; init; }

    public long? Id { get; init; }

    /// <summary>How often it was listed.</summary>
    public int Listed => Volatile.Read(ref _listed);

    /// <summary>Number of children that listings have read.</summary>
    public int Yielded => Volatile.Read(ref _yielded);

    /// <summary>The result of every write, without reading its body; null to accept writes.</summary>
    public StoreWriteResult? Answer { get; set; }

    /// <summary>The result of moving, copying or deleting the child of a name, however often; nothing happens to it.</summary>
    public Dictionary<string, StoreWriteResult> Faults { get; } = new(StringComparer.Ordinal);

    /// <summary>The result of deleting anything that was renamed out of the way.</summary>
    public StoreWriteResult? KeepsReplaced { get; set; }

    /// <summary>Bodies of PUT requests, by name.</summary>
    public ConcurrentDictionary<string, byte[]> Written { get; } = new(StringComparer.Ordinal);

    /// <summary>Generated children, listed after the real ones.</summary>
    public IEnumerable<IStoreItem> More { get; init; } = [];

    /// <summary>Listing stops after this many of <see cref="More"/> until <see cref="Halted"/> completes.</summary>
    public int HaltAfter { get; init; } = int.MaxValue;

    /// <summary>Completes to resume the stopped listing.</summary>
    public TaskCompletionSource Halted { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Awaited before the first child is found.</summary>
    public Task Gate { get; init; } = Task.CompletedTask;

    public IStoreItem? this[string name] => _children.GetValueOrDefault(name);

    public T Add<T>(T item)
        where T : IStoreItem
    {
        _children[item.Name] = item;
        return item;
    }

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _listed);
        await Gate.WaitAsync(cancellationToken);
        foreach (var child in _children.Values.OrderBy(item => item.Name, StringComparer.Ordinal))
            yield return child;
        foreach (var child in More)
        {
            if (Interlocked.Increment(ref _yielded) > HaltAfter)
                await Halted.Task.WaitAsync(cancellationToken);
            yield return child;
        }
    }

    public async ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken)
    {
        if (ReadOnly)
            return StoreWriteResult.Forbidden;
        if (Answer is { } answer)
            return answer;
        using var bytes = new MemoryStream();
        await body.CopyToAsync(bytes, cancellationToken);
        Written[name] = bytes.ToArray();
        var existed = _children.ContainsKey(name);
        _children[name] = new StubFile(
            name, new StubContent(bytes.Length) { Bytes = bytes.ToArray() })
        { ETag = NextTag(), Keeping = Keeping };
        return existed ? StoreWriteResult.Replaced : StoreWriteResult.Created;
    }

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) => ValueTask.FromResult(
        ReadOnly ? StoreWriteResult.Forbidden
        : Answer is { } answer ? answer
        : KeepsReplaced is { } kept && name.EndsWith(".replaced", StringComparison.Ordinal) ? kept
        : _children.TryRemove(name, out _) ? StoreWriteResult.Deleted : StoreWriteResult.NotFound);

    public ValueTask<StoreWriteResult> CreateCollectionAsync(string name, CancellationToken cancellationToken)
    {
        if (Refusal is { } refusal)
            return ValueTask.FromResult(refusal);
        Add(new StubCollection(name) { Keeping = Keeping });
        return ValueTask.FromResult(StoreWriteResult.Created);
    }

    public StoreWriteResult? RefusalOf(IStoreCollection destination, string newName, bool isMove) =>
        (isMove ? Refusal : null) ?? (destination as StubCollection)?.Refusal;

    public ValueTask<StoreWriteResult> CopyAsync(
        string name, IStoreCollection destination, string newName, bool recursive, CancellationToken cancellationToken)
    {
        var target = (StubCollection)destination;
        if (target.Refusal is { } refusal)
            return ValueTask.FromResult(refusal);
        if (Faults.TryGetValue(name, out var fault))
            return ValueTask.FromResult(fault);
        var existed = target._children.ContainsKey(newName);
        target._children[newName] = Clone(_children[name], newName, recursive, target.Keeping);
        return ValueTask.FromResult(existed ? StoreWriteResult.Replaced : StoreWriteResult.Created);
    }

    public ValueTask<StoreWriteResult> MoveAsync(
        string name, IStoreCollection destination, string newName, CancellationToken cancellationToken)
    {
        var target = (StubCollection)destination;
        if ((Refusal ?? target.Refusal) is { } refusal)
            return ValueTask.FromResult(refusal);
        if (Faults.TryGetValue(name, out var fault))
            return ValueTask.FromResult(fault);
        var existed = target._children.ContainsKey(newName);
        target._children[newName] = Clone(_children[name], newName, recursive: true, target.Keeping);
        _children.TryRemove(name, out _);
        return ValueTask.FromResult(existed ? StoreWriteResult.Replaced : StoreWriteResult.Created);
    }

    private StoreWriteResult? Refusal => ReadOnly ? StoreWriteResult.Forbidden : Answer;

    private static string NextTag() => $"\"put-{Interlocked.Increment(ref _version)}\"";

    private static IStoreItem Clone(IStoreItem item, string name, bool recursive, StoreKeeping keeping)
    {
        if (item is StubFile file)
            return new StubFile(name, file.Content) { ETag = NextTag(), Keeping = keeping };
        var copy = new StubCollection(name) { Keeping = keeping };
        if (recursive)
        {
            foreach (var child in ((StubCollection)item)._children.Values)
                copy.Add(Clone(child, child.Name, recursive, keeping));
        }

        return copy;
    }
}
