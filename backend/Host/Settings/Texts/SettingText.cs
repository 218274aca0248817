namespace NzbDav.Host.Settings.Texts;

/// <summary>What people are told of a setting: the source of the page, of OpenAPI and of docs/configuration.md. Immutable.</summary>
/// <param name="Path">Its name, with <c>#</c> for a number.</param>
/// <param name="Group">The id of one of <see cref="SettingTexts.Groups"/>.</param>
/// <param name="Title">What it is called, in a few words.</param>
/// <param name="Description">What it does, when one would change it, and what its unit means: one or two plain sentences.</param>
public sealed record SettingText(string Path, string Group, string Title, string Description)
{
    /// <summary>Of a number, such as <c>MiB</c>; null: none.</summary>
    public string? Unit { get; init; }

    /// <summary>The values that it may have, and what they are called; null: any of its kind.</summary>
    public IReadOnlyList<(string Value, string Title)>? Choices { get; init; }

    /// <summary>True for what few people need: it stands under "more".</summary>
    public bool IsAdvanced { get; init; }

    /// <summary>What a text or a list is made of, such as <c>absolute path</c>; null: what its kind says.</summary>
    public string? Form { get; init; }

    /// <summary>What holds when nobody sets it, in words, where no value says it or the value differs by machine; null: the value says it.</summary>
    public string? DefaultNote { get; init; }
}
