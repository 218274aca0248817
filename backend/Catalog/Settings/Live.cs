namespace NzbDav.Catalog;

/// <summary>Options that may be replaced while others read them: who needs them asks for <see cref="Value"/> each time, and sees what is true now. Thread-safe.</summary>
/// <typeparam name="T">An immutable type.</typeparam>
/// <param name="value">What is true at first.</param>
public sealed class Live<T>(T value)
    where T : class?
{
    private T _value = value;

    /// <summary>Raised after <see cref="Value"/> became another, on the thread that set it: return quickly.</summary>
    public event Action? Changed;

    /// <summary>What is true now.</summary>
    public T Value
    {
        get => Volatile.Read(ref _value);
        set
        {
            if (!Equals(Interlocked.Exchange(ref _value, value), value))
                Changed?.Invoke();
        }
    }

    /// <summary>Options that nobody replaces.</summary>
    public static implicit operator Live<T>(T value) => new(value);

    /// <inheritdoc cref="op_Implicit"/>
    public Live<T> ToLive() => this;
}
