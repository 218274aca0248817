using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Arr.Client;

/// <summary>A value, or why there is none. Immutable.</summary>
/// <typeparam name="T">The value's type.</typeparam>
public sealed class ArrResult<T>
    where T : class
{
    /// <param name="value">The result of the call.</param>
    public ArrResult(T value)
    {
        ArgumentNullException.ThrowIfNull(value);
        Value = value;
    }

    /// <param name="error">Why the call failed.</param>
    public ArrResult(ArrError error)
    {
        ArgumentNullException.ThrowIfNull(error);
        Error = error;
    }

    /// <summary>Null if and only if <see cref="Error"/> is set.</summary>
    public T? Value { get; }

    /// <summary>Null if and only if <see cref="Value"/> is set.</summary>
    public ArrError? Error { get; }

    /// <summary>True if there is a value.</summary>
    [MemberNotNullWhen(true, nameof(Value))]
    [MemberNotNullWhen(false, nameof(Error))]
    public bool Succeeded => Error is null;
}
