using System.Diagnostics.CodeAnalysis;
using NzbDav.Arr.Resources;

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

/// <summary>Why a call failed. Never contains the API key. Immutable.</summary>
/// <param name="Kind">The kind, for programs.</param>
/// <param name="Message">Text for people: what is wrong and what to do.</param>
public sealed record ArrError(ArrErrorKind Kind, string Message)
{
    /// <summary>HTTP status; null if there was no answer.</summary>
    public int? Status { get; init; }

    /// <summary>The application's objections by field; empty unless it sent any.</summary>
    public IReadOnlyList<ArrValidation> Validations { get; init; } = [];

    /// <inheritdoc/>
    public override string ToString() => Message;
}

/// <summary>Why a call failed.</summary>
public enum ArrErrorKind
{
    /// <summary>No connection: the name, the port or TLS failed, or the connection broke.</summary>
    Unreachable,

    /// <summary>No complete answer within the time-out.</summary>
    TimedOut,

    /// <summary>401 or 403: the API key is wrong, or a proxy in front asks for a sign-in.</summary>
    Unauthorized,

    /// <summary>404 from the API: no such item.</summary>
    NotFound,

    /// <summary>400 or 409: the application rejected the data; see <see cref="ArrError.Validations"/>.</summary>
    Rejected,

    /// <summary>Any other status that is not a success.</summary>
    Failed,

    /// <summary>
    /// The answer does not come from the API: it is an HTML page, or JSON of another shape. The usual cause is a wrong URL base.
    /// </summary>
    NotArr,

    /// <summary>A redirect that is not followed, because it would send the API key elsewhere or change the call.</summary>
    Redirected,

    /// <summary>
    /// The answer is longer than <see cref="ArrOptions.LongestAnswer"/>, or a list has more than <see cref="ArrOptions.MostRows"/> rows.
    /// </summary>
    TooLarge,

    /// <summary>The application has no such call (Prowlarr has no queue, for instance). Nothing was sent.</summary>
    NotSupported,
}
