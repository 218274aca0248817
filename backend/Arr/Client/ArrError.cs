using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Client;

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
