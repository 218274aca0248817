using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Client;

/// <summary>Why a call gave nothing. Never holds the API key. Immutable.</summary>
/// <param name="Kind">The kind, to decide by.</param>
/// <param name="Message">What is wrong and what to do, for people.</param>
public sealed record ArrError(ArrErrorKind Kind, string Message)
{
    /// <summary>HTTP status; null if no answer came.</summary>
    public int? Status { get; init; }

    /// <summary>What the application dislikes about each field; empty unless it said so.</summary>
    public IReadOnlyList<ArrValidation> Validations { get; init; } = [];

    /// <inheritdoc/>
    public override string ToString() => Message;
}
