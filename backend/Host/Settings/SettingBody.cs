namespace NzbDav.Host.Settings;

/// <summary>One setting: what it is for, what it may be, and what it is.</summary>
internal sealed record SettingBody
{
    /// <summary>Its name; numbered ones have their number in it, in templates <c>#</c>.</summary>
    public required string Path { get; init; }

    /// <summary>What its value is.</summary>
    public required SettingKind Kind { get; init; }

    /// <summary>What it is called.</summary>
    public required string Title { get; init; }

    /// <summary>What it does and when one would change it.</summary>
    public required string Description { get; init; }

    /// <summary>The id of its group.</summary>
    public required string Group { get; init; }

    /// <summary>Of a number, such as <c>MiB</c>; null: none.</summary>
    public string? Unit { get; init; }

    /// <summary>The values that it may have; null: any of its kind.</summary>
    public IReadOnlyList<SettingChoiceBody>? Choices { get; init; }

    /// <summary>True for what few people need.</summary>
    public bool Advanced { get; init; }

    /// <summary>What holds when nobody sets it; null: nothing.</summary>
    public string? Default { get; init; }

    /// <summary>What holds then, in words, where the value alone does not say it; null: it does.</summary>
    public string? DefaultNote { get; init; }

    /// <summary>The least that a number may be.</summary>
    public int? Least { get; init; }

    /// <summary>The most that a number may be.</summary>
    public int? Most { get; init; }

    /// <summary>As it is set; null: not set, or a secret.</summary>
    public string? Value { get; init; }

    /// <summary>True if somebody set it.</summary>
    public bool IsSet { get; init; }

    /// <summary>Who set it.</summary>
    public SettingSource Source { get; init; }

    /// <summary>Its name in the environment.</summary>
    public required string Environment { get; init; }

    /// <summary>True: a change counts from the next start.</summary>
    public bool NeedsRestart { get; init; }

    /// <summary>True: a change waits for the next start.</summary>
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
