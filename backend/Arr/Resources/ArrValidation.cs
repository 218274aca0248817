namespace NzbDav.Arr.Resources;

/// <summary>An application's objection to one field.</summary>
public sealed record ArrValidation
{
    /// <summary>The field: <c>Host</c>, <c>ApiKey</c>, …; empty for the object as a whole.</summary>
    public string PropertyName { get; init; } = string.Empty;

    /// <summary>The application's message.</summary>
    public string ErrorMessage { get; init; } = string.Empty;

    /// <summary>True if the object could be saved anyway.</summary>
    public bool IsWarning { get; init; }
}
