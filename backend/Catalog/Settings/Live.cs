namespace NzbDav.Catalog.Settings;

/// <summary>
/// Options that may be replaced while others read them. Readers read <see cref="Value"/> each time to get the current options. Thread-safe.
/// </summary>
/// <typeparam name="T">An immutable type.</typeparam>
/// <param name="value">The initial value.</param>
public sealed class Live<T>(T value)
    where T : class?
{
    private T _value = value;

    /// <summary>Raised after <see cref="Value"/> changed, on the thread that set it. Handlers must return quickly.</summary>
    public event Action? Changed;

    /// <summary>The current value.</summary>
    public T Value
    {
        get => Volatile.Read(ref _value);
        set
        {
            if (!Equals(Interlocked.Exchange(ref _value, value), value))
                Changed?.Invoke();
        }
    }

    /// <summary>Wraps options that are never replaced.</summary>
    public static implicit operator Live<T>(T value) => new(value);

    /// <inheritdoc cref="op_Implicit"/>
    public Live<T> ToLive() => this;
}
