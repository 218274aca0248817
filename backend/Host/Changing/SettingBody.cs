using NzbDav.Host.Settings;

namespace NzbDav.Host.Changing;

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
        Choices = entry.Text.Choices is { } choices ? [.. choices.Select(choice => new SettingChoiceBody(choice.Value, choice.Title))] : null,
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
