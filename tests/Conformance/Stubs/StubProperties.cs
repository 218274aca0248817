using System.Collections.Concurrent;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests.Stubs;

/// <summary>Properties in memory.</summary>
internal sealed class StubProperties : IDeadProperties
{
    private readonly ConcurrentDictionary<StorePath, DeadProperty[]> _items = new();

    public ValueTask<IReadOnlyList<DeadProperty>> ReadAsync(StorePath path, CancellationToken cancellationToken) =>
        ValueTask.FromResult<IReadOnlyList<DeadProperty>>(_items.GetValueOrDefault(path) ?? []);

    public ValueTask<bool> HaveChildrenAnyAsync(StorePath collection, CancellationToken cancellationToken) =>
        ValueTask.FromResult(_items.Keys.Any(path => path.Parent.Equals(collection)));

    public ValueTask<bool> WriteAsync(StorePath path, IReadOnlyList<PropertyChange> changes, CancellationToken cancellationToken)
    {
        var properties = (_items.GetValueOrDefault(path) ?? []).ToList();
        foreach (var change in changes)
        {
            properties.RemoveAll(property => property.Name == change.Name);
            if (change.Xml is not null)
                properties.Add(new(change.Name, change.Xml));
        }

        if (properties.Count > IDeadProperties.MaxPerItem)
            return ValueTask.FromResult(false);
        _items[path] = [.. properties];
        return ValueTask.FromResult(true);
    }

    public async ValueTask CopyAsync(StorePath from, StorePath to, bool recursive, CancellationToken cancellationToken)
    {
        await RemoveAsync(to, cancellationToken);
        foreach (var (path, properties) in _items.ToArray())
        {
            if (path.Equals(from) || (recursive && path.IsBelow(from)))
                _items[path.Rebase(from, to)] = properties;
        }
    }

    public async ValueTask MoveAsync(StorePath from, StorePath to, CancellationToken cancellationToken)
    {
        await CopyAsync(from, to, recursive: true, cancellationToken);
        await RemoveAsync(from, cancellationToken);
    }

    public ValueTask RemoveAsync(StorePath path, CancellationToken cancellationToken)
    {
        foreach (var key in _items.Keys.Where(key => key.Equals(path) || key.IsBelow(path)))
            _items.TryRemove(key, out _);
        return default;
    }
}
