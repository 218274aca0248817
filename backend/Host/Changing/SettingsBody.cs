using NzbDav.Host.Settings;
using NzbDav.Host.Settings.Texts;

namespace NzbDav.Host.Changing;

/// <summary>All settings. For secrets only whether they are set.</summary>
/// <param name="Groups">The groups, in display order.</param>
/// <param name="Settings">Every setting.</param>
/// <param name="Provider">The settings of one more provider; <c>#</c> stands for its number.</param>
/// <param name="Arr">The settings of one more *arr.</param>
/// <param name="Indexer">The settings of one more indexer.</param>
/// <param name="Password">The setting of one more archive password.</param>
/// <param name="Ignored">Stored settings that are ignored, and why.</param>
/// <param name="Unapplied">Settings that could not be applied, and why.</param>
internal sealed record SettingsBody(
    IReadOnlyList<SettingGroupBody> Groups,
    IReadOnlyList<SettingBody> Settings,
    IReadOnlyList<SettingBody> Provider,
    IReadOnlyList<SettingBody> Arr,
    IReadOnlyList<SettingBody> Indexer,
    IReadOnlyList<SettingBody> Password,
    IReadOnlyList<SettingFault> Ignored,
    IReadOnlyList<SettingFault> Unapplied)
{
    public static async Task<SettingsBody> OfAsync(SettingsBook book, LiveSettings live) => new(
        [.. SettingTexts.Groups.Select(group => new SettingGroupBody(group.Id, group.Title))],
        [.. book.Entries.OrderBy(entry => SettingTexts.PlaceOf(entry.Path)).Select(SettingBody.Of)],
        [.. SettingsReader.ProviderTemplate().OrderBy(entry => SettingTexts.PlaceOf(entry.Path)).Select(SettingBody.Of)],
        [.. SettingsReader.ArrTemplate().OrderBy(entry => SettingTexts.PlaceOf(entry.Path)).Select(SettingBody.Of)],
        [.. SettingsReader.IndexerTemplate().OrderBy(entry => SettingTexts.PlaceOf(entry.Path)).Select(SettingBody.Of)],
        [.. SettingsReader.PasswordTemplate().Select(SettingBody.Of)],
        book.Ignored,
        await live.UnappliedAsync());
}

/// <summary>A group of settings.</summary>
/// <param name="Id">Its id, as in <see cref="SettingBody.Group"/>.</param>
/// <param name="Title">Its title.</param>
internal sealed record SettingGroupBody(string Id, string Title);

/// <summary>One setting: its description, its allowed values and its current value.</summary>
internal sealed record SettingBody
{
    /// <summary>Its name. The name of a numbered setting contains the number; in templates, <c>#</c>.</summary>
    public required string Path { get; init; }

    /// <summary>The kind of its value.</summary>
    public required SettingKind Kind { get; init; }

    /// <summary>Its title.</summary>
    public required string Title { get; init; }

    /// <summary>What it does and when to change it.</summary>
    public required string Description { get; init; }

    /// <summary>The id of its group.</summary>
    public required string Group { get; init; }

    /// <summary>The unit of a number, such as <c>MiB</c>; null: none.</summary>
    public string? Unit { get; init; }

    /// <summary>True for a number of which 0 means that there is no limit.</summary>
    public bool ZeroIsNoLimit { get; init; }

    /// <summary>The allowed values; null: any of its kind.</summary>
    public IReadOnlyList<SettingChoiceBody>? Choices { get; init; }

    /// <summary>True for a setting that few people need.</summary>
    public bool Advanced { get; init; }

    /// <summary>The value that applies if it is not set; null: none.</summary>
    public string? Default { get; init; }

    /// <summary>What applies if it is not set, as text, where <see cref="Default"/> alone does not say it; otherwise null.</summary>
    public string? DefaultNote { get; init; }

    /// <summary>The smallest number allowed.</summary>
    public int? Least { get; init; }

    /// <summary>The largest number allowed.</summary>
    public int? Most { get; init; }

    /// <summary>The value that is set; null: not set, or a secret.</summary>
    public string? Value { get; init; }

    /// <summary>True if it is set.</summary>
    public bool IsSet { get; init; }

    /// <summary>Where its value comes from.</summary>
    public SettingSource Source { get; init; }

    /// <summary>The name of its environment variable.</summary>
    public required string Environment { get; init; }

    /// <summary>True if a change takes effect at the next start.</summary>
    public bool NeedsRestart { get; init; }

    /// <summary>True if a change is waiting for the next start.</summary>
    public bool IsPending { get; init; }

    public static SettingBody Of(SettingEntry entry) => new()
    {
        Path = entry.Path,
        Kind = entry.Kind,
        Title = entry.Text.Title,
        Description = entry.Text.Description,
        Group = entry.Text.Group,
        Unit = entry.Text.Unit,
        ZeroIsNoLimit = entry.Text.ZeroIsNoLimit,
        Choices = entry.Text.Choices is { } choices
            ? [.. choices.Select(choice => new SettingChoiceBody(choice.Value, choice.Title))] : null,
        Advanced = entry.Text.IsAdvanced,
        Default = entry.Default,
        DefaultNote = entry.Text.DefaultNote,
        Least = entry.Least,
        Most = entry.Most,
        Value = entry.Kind == SettingKind.Secret ? null : entry.Value,
        IsSet = entry.IsSet,
        Source = entry.Source,
        Environment = entry.Environment,
        NeedsRestart = entry.NeedsRestart,
        IsPending = entry.IsPending,
    };
}

/// <summary>One allowed value of a setting.</summary>
/// <param name="Value">The value to set.</param>
/// <param name="Title">Its title.</param>
internal sealed record SettingChoiceBody(string Value, string Title);
