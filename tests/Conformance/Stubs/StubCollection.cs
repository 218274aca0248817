using System.Collections.Concurrent;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.WebDav;

namespace NzbDav.Conformance.Tests;

internal sealed class StubCollection(string name) : IStoreCollection
{
    private readonly ConcurrentDictionary<string, IStoreItem> _children = new(StringComparer.Ordinal);
    private int _version;

    public string Name { get; } = name;

    public DateTimeOffset CreatedAt { get; init; } = new(2023, 1, 2, 3, 4, 5, TimeSpan.Zero);

    public DateTimeOffset ModifiedAt { get; init; } = new(2023, 6, 7, 8, 9, 10, TimeSpan.Zero);

    public string ETag => $"\"folder-{_version}\"";

    public bool ReadOnly { get; init; }

    /// <summary>What a write answers without reading, if set.</summary>
    public StoreWriteResult? Answer { get; set; }

    /// <summary>Bodies that were put, by name.</summary>
    public ConcurrentDictionary<string, byte[]> Written { get; } = new(StringComparer.Ordinal);

    /// <summary>Children made up on the fly, after the real ones.</summary>
    public IEnumerable<IStoreItem> More { get; init; } = [];

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
        await Gate.WaitAsync(cancellationToken);
        foreach (var child in _children.Values.OrderBy(item => item.Name, StringComparer.Ordinal))
            yield return child;
        foreach (var child in More)
            yield return child;
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
        _children[name] = new StubFile(name, new StubContent(bytes.Length) { Bytes = bytes.ToArray() }) { ETag = $"\"put-{Interlocked.Increment(ref _version)}\"" };
        return existed ? StoreWriteResult.Replaced : StoreWriteResult.Created;
    }

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) => ValueTask.FromResult(
        ReadOnly ? StoreWriteResult.Forbidden
        : Answer is { } answer ? answer
        : _children.TryRemove(name, out _) ? StoreWriteResult.Deleted : StoreWriteResult.NotFound);
}
