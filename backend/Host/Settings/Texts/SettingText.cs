namespace NzbDav.Host.Settings.Texts;

/// <summary>The texts of a setting: the source for the page, for OpenAPI and for docs/configuration.md. Immutable.</summary>
/// <param name="Path">Its name, with <c>#</c> for a number.</param>
/// <param name="Group">The id of one of <see cref="SettingTexts.Groups"/>.</param>
/// <param name="Title">Its title, in a few words.</param>
/// <param name="Description">What it does, when one would change it, and what its unit means: one or two plain sentences.</param>
public sealed record SettingText(string Path, string Group, string Title, string Description)
{
    /// <summary>The unit of a number, such as <c>MiB</c>; null: none.</summary>
    public string? Unit { get; init; }

    /// <summary>The allowed values with their titles; null: any of its kind.</summary>
    public IReadOnlyList<(string Value, string Title)>? Choices { get; init; }

    /// <summary>True for a setting that few people need: the page shows it under "more".</summary>
    public bool IsAdvanced { get; init; }

    /// <summary>The form of a text or a list, such as <c>absolute path</c>; null: any of its kind.</summary>
    public string? Form { get; init; }

    /// <summary>What applies if it is not set, as text, where there is no default value or it differs by machine; otherwise null.</summary>
    public string? DefaultNote { get; init; }
}
