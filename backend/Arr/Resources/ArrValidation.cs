namespace NzbDav.Arr.Resources;

/// <summary>What an application dislikes about one field.</summary>
public sealed record ArrValidation
{
    /// <summary>The field: <c>Host</c>, <c>ApiKey</c>, …; empty for the whole.</summary>
    public string PropertyName { get; init; } = string.Empty;

    /// <summary>In its words.</summary>
    public string ErrorMessage { get; init; } = string.Empty;

    /// <summary>Whether it could be saved all the same.</summary>
    public bool IsWarning { get; init; }
}
