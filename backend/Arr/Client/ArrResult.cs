using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Arr.Client;

/// <summary>A value, or why there is none. Immutable.</summary>
/// <typeparam name="T">The value's type.</typeparam>
public sealed class ArrResult<T>
    where T : class
{
    /// <param name="value">What the call gave.</param>
    public ArrResult(T value)
    {
        ArgumentNullException.ThrowIfNull(value);
        Value = value;
    }

    /// <param name="error">Why it gave nothing.</param>
    public ArrResult(ArrError error)
    {
        ArgumentNullException.ThrowIfNull(error);
        Error = error;
    }

    /// <summary>Null exactly when <see cref="Error"/> is not.</summary>
    public T? Value { get; }

    /// <summary>Null exactly when <see cref="Value"/> is not.</summary>
    public ArrError? Error { get; }

    /// <summary>Whether there is a value.</summary>
    [MemberNotNullWhen(true, nameof(Value))]
    [MemberNotNullWhen(false, nameof(Error))]
    public bool Succeeded => Error is null;
}
