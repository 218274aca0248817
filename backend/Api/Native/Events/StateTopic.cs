using NzbDav.Access.Keys;

namespace NzbDav.Api.Native.Events;

/// <summary>A topic in which only the latest state counts: each event describes the current state. Thread-safe.</summary>
/// <typeparam name="TData">Its <see cref="IEventTopic.DataType"/>.</typeparam>
/// <param name="name">See <see cref="IEventTopic.Name"/>.</param>
/// <param name="pace">See <see cref="IEventTopic.Pace"/>.</param>
public abstract class StateTopic<TData>(string name, TimeSpan pace) : IEventTopic
    where TData : class
{
    private bool _isSent = true;

    /// <inheritdoc/>
    public event Action? Changed;

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public Type DataType => typeof(TData);

    /// <inheritdoc/>
    public virtual ApiRights Needs => ApiRights.Read;

    /// <inheritdoc/>
    public virtual bool IsUsual => true;

    /// <inheritdoc/>
    public bool IsWhole => true;

    /// <inheritdoc/>
    public TimeSpan Pace => pace;

    /// <inheritdoc/>
    public ValueTask<object?> NextAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult<object?>(Interlocked.Exchange(ref _isSent, true) ? null : Snapshot());

    /// <inheritdoc/>
    public void Begin() => Volatile.Write(ref _isSent, true);

    /// <summary>Returns the current state.</summary>
    protected abstract TData Snapshot();

    /// <summary>Reports that the state changed.</summary>
    protected void Note()
    {
        Volatile.Write(ref _isSent, false);
        Changed?.Invoke();
    }
}
